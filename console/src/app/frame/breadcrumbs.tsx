import { Breadcrumb } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { PageTitle } from '@/shared/pages/menu-keys';
import { useHomePath } from '../home-path';
import { breadcrumbTrail, findPage, findRoute } from '../match';
import { parentOf } from '../menu';
import { pages } from '../pages';
import { useTabStore } from '../tab-store';

interface Step {
  title: PageTitle;
  /** Undefined: a group, which has no page. */
  path?: string;
}

/** From the topmost page or menu group down to the place itself. */
function stepsTo(pathname: string): Step[] {
  const page = findPage(pages, pathname);
  const trail: Step[] = page ? breadcrumbTrail(pages, page) : [findRoute(pathname) ?? []].flat();
  const group = trail[0] && parentOf(trail[0].title);
  const steps = trail.map(({ title, path }) => ({ title, path }));
  return group ? [{ title: group }, ...steps] : steps;
}

/** Where the page stands: home, the pages above it, itself. Each but the last is a link. */
export function Breadcrumbs() {
  const { t } = useTranslation(['menu', 'frame']);
  const { pathname } = useLocation();
  const home = useHomePath();
  const ownTitle = useTabStore(({ tabs }) => tabs.find((tab) => tab.key === pathname)?.title);
  const steps = stepsTo(pathname);
  const crumbs = steps.map(({ path, title }, index) => ({
    path,
    title: index === steps.length - 1 && ownTitle ? ownTitle : t(`menu:${title}`),
  }));
  const saved = JSON.stringify(crumbs);
  useEffect(() => local.set(storeKeys.breadcrumbs, JSON.parse(saved)), [saved]);
  if (steps.length === 0 || findPage(pages, pathname)?.hideBreadcrumb) return null;
  return (
    <nav aria-label={t('frame:breadcrumbs')} className="frame-breadcrumbs">
      <Breadcrumb
        items={[
          { title: <Link to={home}>{t('menu:home')}</Link> },
          ...crumbs.map(({ path, title }, index) => ({
            title: index === crumbs.length - 1 || !path ? title : <Link to={path}>{title}</Link>,
          })),
        ]}
      />
    </nav>
  );
}
