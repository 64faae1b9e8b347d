import { Breadcrumb } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';
import { breadcrumbTrail, findPage } from '../match';
import { pages } from '../pages';
import { useTabStore } from '../tab-store';

/** Where the page stands: home, the pages above it, itself. Each but the last is a link. */
export function Breadcrumbs() {
  const { t } = useTranslation(['menu', 'frame']);
  const { pathname } = useLocation();
  const ownTitle = useTabStore(({ tabs }) => tabs.find((tab) => tab.key === pathname)?.title);
  const page = findPage(pages, pathname);
  const trail = page ? breadcrumbTrail(pages, page) : [];
  const crumbs = trail.map((step) => ({
    path: step.path,
    title: step === page && ownTitle ? ownTitle : t(`menu:${step.title}`),
  }));
  const saved = JSON.stringify(crumbs);
  useEffect(() => local.set(storeKeys.breadcrumbs, JSON.parse(saved)), [saved]);
  if (!page || page.hideBreadcrumb) return null;
  return (
    <nav aria-label={t('frame:breadcrumbs')} className="frame-breadcrumbs">
      <Breadcrumb
        items={[
          { title: <Link to={paths.home()}>{t('menu:home')}</Link> },
          ...crumbs.map((crumb, index) => ({
            title: index === crumbs.length - 1 ? crumb.title : <Link to={crumb.path}>{crumb.title}</Link>,
          })),
        ]}
      />
    </nav>
  );
}
