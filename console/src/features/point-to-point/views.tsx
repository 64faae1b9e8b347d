import { useTranslation } from 'react-i18next';
import { usePageTitle } from '@/shared/pages/page-context';
import { paths } from '@/shared/pages/paths';
import { PageNav } from '@/shared/ui/page-nav';
import './point-to-point.css';

const views = { list: paths.ways(), canvas: paths.waysCanvas(), screen: paths.waysScreen() } as const;
type View = keyof typeof views;

/** Navigation among the three views of the same data. */
export function ViewNav({ view }: { view: View }) {
  const { t } = useTranslation('point-to-point');
  const title = `${t(`view.${view}`)} · ${t('title')}`;
  // The list is called like the menu entry that leads to it.
  usePageTitle(view === 'list' ? undefined : title);
  const pages = (Object.keys(views) as View[]).map((key) => ({ path: views[key], label: t(`view.${key}`) }));
  return <PageNav label={t('views')} pages={pages} current={views[view]} />;
}
