import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { useTableState } from '@/shared/ui/data-table';
import { Pager } from '@/shared/ui/data-table/pager';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PictureArea } from '@/shared/widgets/topology/picture-area';
import { useWays } from './queries';
import { ViewNav } from './views';
import { wayPicture } from './way-picture';

const defaults = { search: '', current: 1 };
/** More links make the picture unreadable. */
const sizes = [20, 50, 100];

/** The ways drawn from left to right. */
export default function WaysCanvasPage() {
  const { t } = useTranslation('point-to-point');
  const [{ search }, change] = useUrlState(defaults);
  const state = useTableState('', sizes);
  const query = useWays(state.request, { search, state: '' });
  const { data, error } = query;
  const picture = useMemo(
    () => wayPicture(data?.records ?? [], (count) => t('tableCount', { count })),
    [data, t],
  );
  return (
    <div className="ways">
      <h1 className="visually-hidden">{t('title')}</h1>
      <ViewNav view="canvas" />
      <div className="ways-bar">
        <ListSearch
          label={t('search')}
          value={search}
          onSearch={(text) => change({ search: text, current: 1 })}
        />
        <span className="ways-hint">{t('canvasHint')}</span>
        <LiveMark query={query} />
        {data && data.total > 0 && <Pager state={state} total={data.total} />}
      </div>
      {query.isPending && <LoadingState rows={10} />}
      {!data && error && <ErrorState error={error} onRetry={query.refetch} />}
      {data?.records.length === 0 && (
        <EmptyState
          title={t(search ? 'emptyFiltered' : 'empty')}
          hint={search ? undefined : t('emptyHint')}
        />
      )}
      {data && data.records.length > 0 && <PictureArea picture={picture} label={t('title')} />}
    </div>
  );
}
