import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FlowRecord } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { useTableState } from '@/shared/ui/data-table';
import { Pager } from '@/shared/ui/data-table/pager';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import type { Picture } from '@/shared/widgets/topology/picture';
import { PictureArea } from '@/shared/widgets/topology/picture-area';
import { useFlows } from './queries';
import './flow-path.css';

const defaults = { search: '', current: 1 };
/** More sources make the picture unreadable. */
const sizes = [20, 50, 100];

interface Props {
  title: string;
  /** What the picture shows, and what a click does. */
  hint: string;
  /** The way to the other picture of the same flows. */
  other: ReactNode;
  draw: (flows: readonly FlowRecord[]) => Picture;
}

/** A picture of what really runs, a page of sources at a time. */
export function PicturePage({ title, hint, other, draw }: Props) {
  const { t } = useTranslation('flow-path');
  const [{ search }, change] = useUrlState(defaults);
  const state = useTableState('', sizes);
  const query = useFlows(search, state.request);
  const { data } = query;
  const picture = useMemo(() => draw(data?.records ?? []), [draw, data]);
  return (
    <div className="flow-path">
      <PageHead title={title} marks={<LiveMark query={query} />} actions={other} />
      <div className="flow-path-bar">
        <ListSearch
          label={t('search')}
          value={search}
          onSearch={(text) => change({ search: text, current: 1 })}
        />
        <span className="flow-path-hint">{hint}</span>
        {data && data.total > 0 && <Pager state={state} total={data.total} />}
      </div>
      {query.isPending && <LoadingState rows={10} />}
      {!data && query.error && <ErrorState error={query.error} onRetry={query.refetch} />}
      {data?.records.length === 0 && (
        <EmptyState
          title={search === '' ? t('empty') : t('emptyFiltered')}
          hint={search === '' ? t('emptyHint') : undefined}
        />
      )}
      {data && data.records.length > 0 && <PictureArea picture={picture} label={title} />}
    </div>
  );
}
