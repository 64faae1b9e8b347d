import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useGrantedMenu } from '@/shared/hooks/granted-menu';
import { currentLocale } from '@/shared/i18n/locale';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { type Title, titleIn } from '@/shared/pages/definition';
import type { Look } from '@/shared/ui/states';
import { useHomePath } from '../home-path';
import { breadcrumbTrail, findPage, menuKeyOf } from '../match';
import { groupOf, titleOf } from '../menu';
import { pages } from '../pages';
import { useFrontTab } from '../tab-store';

interface Step {
  title: Title;
  path: string;
}

/** From the topmost page down to the place itself. */
function stepsTo(pathname: string): Step[] {
  const page = findPage(pages, pathname);
  return page ? breadcrumbTrail(pages, page) : [];
}

/** The title of the menu group that the page stands in. */
function useGroup(pathname: string): string | undefined {
  const { data } = useGrantedMenu();
  const page = findPage(pages, pathname);
  const group = page && data ? groupOf(data, menuKeyOf(pages, page)) : undefined;
  return group && titleOf(group, currentLocale());
}

/** The specification's colours by type: success, danger, danger, danger, warning, warning; any other is primary. */
const looks: Record<number, Look> = { 2: 'good', 0: 'bad', 4: 'bad', 7: 'bad', 5: 'warning', 6: 'warning' };

/** A long name of the page itself is cut, and whole in its title. */
function Crumb({ path, title, isLast }: { path: string; title: string; isLast: boolean }) {
  if (!isLast)
    return (
      <li>
        <Link to={path}>{title}</Link>
      </li>
    );
  return (
    <li aria-current="page" title={title}>
      {title}
    </li>
  );
}

/** Where the page stands: home, the pages above it, itself. Each but the last is a link. */
export function Breadcrumbs() {
  const { t } = useTranslation('frame');
  const { pathname } = useLocation();
  const home = useHomePath();
  const homePage = findPage(pages, home);
  const { title: ownTitle, tag } = useFrontTab() ?? {};
  const steps = stepsTo(pathname);
  const group = useGroup(pathname);
  const crumbs = steps.map(({ path, title }, index) => ({
    path,
    title: index === steps.length - 1 && ownTitle ? ownTitle : titleIn(title),
  }));
  const saved = JSON.stringify(crumbs);
  useEffect(() => local.set(storeKeys.breadcrumbs, JSON.parse(saved)), [saved]);
  if (steps.length === 0 || findPage(pages, pathname)?.hideBreadcrumb) return null;
  return (
    <nav aria-label={t('breadcrumbs')} className="frame-breadcrumbs">
      <ol>
        <li>
          <Link to={home}>{homePage && titleIn(homePage.title)}</Link>
        </li>
        {group && <li>{group}</li>}
        {crumbs.map(({ path, title }, index) => (
          <Crumb key={path} path={path} title={title} isLast={index === crumbs.length - 1} />
        ))}
      </ol>
      {tag && (
        <span className="state-tag" data-look={looks[tag.type] ?? 'busy'}>
          {tag.text}
        </span>
      )}
    </nav>
  );
}
