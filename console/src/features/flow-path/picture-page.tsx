import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { FlowRecord } from '@/shared/api';
import { useElementSize } from '@/shared/hooks/use-element-size';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { useTableState } from '@/shared/ui/data-table';
import { Pager } from '@/shared/ui/data-table/pager';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import { Topology } from '@/shared/widgets/topology';
import type { Picture } from './picture';
import { useFlows } from './queries';
import './flow-path.css';

const defaults = { search: '', current: 1 };
/** More sources make a picture that nobody reads. */
const sizes = [20, 50, 100];

interface Props {
  title: string;
  /** What the picture shows, and what a click does. */
  hint: string;
  /** The way to the other picture of the same flows. */
  other: ReactNode;
  draw: (flows: readonly FlowRecord[]) => Picture;
}

function Diagram({ flows, draw, title }: { flows: readonly FlowRecord[] } & Pick<Props, 'draw' | 'title'>) {
  const navigate = useNavigate();
  const area = useRef<HTMLDivElement>(null);
  const { height } = useElementSize(area);
  const { nodes, edges, pageOf } = useMemo(() => draw(flows), [flows, draw]);
  const open = useCallback(
    (id: string) => {
      const page = pageOf.get(id);
      if (page) navigate(page);
    },
    [pageOf, navigate],
  );
  return (
    <div ref={area} className="flow-path-area">
      {height > 0 && <Topology label={title} nodes={nodes} edges={edges} onClick={open} height={height} />}
    </div>
  );
}

/** A picture of what really runs, a page of sources at a time. */
export function PicturePage({ title, hint, other, draw }: Props) {
  const { t } = useTranslation('flow-path');
  const [{ search }, change] = useUrlState(defaults);
  const state = useTableState('', sizes);
  const query = useFlows(search, state.request);
  const { data } = query;
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
      {data && data.records.length > 0 && <Diagram flows={data.records} draw={draw} title={title} />}
    </div>
  );
}
