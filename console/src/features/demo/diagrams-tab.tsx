import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LinkDetail } from '@/shared/api';
import { clock, count, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { Chart } from '@/shared/widgets/chart';
import { Topology } from '@/shared/widgets/topology';
import { linkGraph } from './link-graph';
import { useFirstLinks, useLargestTables, useLinkDetails, useOverview } from './queries';

const KEPT_POINTS = 60;

interface Point {
  at: string;
  rate: number;
}

/** What the overview said since the page was opened: the platform keeps no history to ask for. */
function useRates(): readonly Point[] {
  const { data } = useOverview();
  const [points, setPoints] = useState<readonly Point[]>([]);
  useEffect(() => {
    if (!data) return;
    const at = clock(Date.parse(data.at));
    setPoints((before) => [...before, { at, rate: data.rowsPerSecond }].slice(-KEPT_POINTS));
  }, [data]);
  return points;
}

function RateChart() {
  const { t } = useTranslation('demo');
  const points = useRates();
  return (
    <Chart
      title={t('rates')}
      kind="line"
      labels={points.map(({ at }) => at)}
      series={[{ name: t('rate'), values: points.map((point) => point.rate) }]}
      format={rate}
    />
  );
}

function TablesChart({ taskId }: { taskId: string | undefined }) {
  const { t } = useTranslation('demo');
  const tables = useLargestTables(taskId).data?.records ?? [];
  return (
    <Chart
      title={t('largest')}
      kind="bar"
      labels={tables.map(({ source }) => source)}
      series={[{ name: t('rows'), values: tables.map(({ rowsLoaded }) => rowsLoaded) }]}
      format={count}
    />
  );
}

function StatesChart() {
  const { t } = useTranslation('demo');
  const { data } = useOverview();
  const states = data?.tables ?? [];
  return (
    <>
      <Chart
        title={t('states')}
        kind="pie"
        labels={states.map(({ state }) => stateLabel(state))}
        series={[{ name: t('tables'), values: states.map(({ tables }) => tables) }]}
        format={count}
        height={200}
      />
      <p className="demo-states">
        {states.map(({ state, tables }) => (
          <span key={state}>
            <StateTag state={state} /> {count(tables)}
          </span>
        ))}
      </p>
    </>
  );
}

function LinksDiagram({ links }: { links: readonly LinkDetail[] }) {
  const { t } = useTranslation('demo');
  const navigate = useNavigate();
  const words = useMemo(() => ({ publish: t('publish'), subscribe: t('subscribe') }), [t]);
  const { nodes, edges, linkOf } = useMemo(() => linkGraph(links, words), [links, words]);
  const [chosen, setChosen] = useState<string>();
  const open = (id: string) => {
    const link = linkOf.get(id);
    if (link) navigate(paths.syncLink(link));
  };
  return (
    <>
      <Topology
        label={t('topology')}
        nodes={nodes}
        edges={edges}
        onClick={setChosen}
        onDoubleClick={open}
        height={320}
      />
      <p role="status" className="demo-hint">
        {chosen ? nodes.find(({ id }) => id === chosen)?.title : t('topologyHint')}
      </p>
    </>
  );
}

/** Diagrams of the links, and charts of what they do. */
export function DiagramsTab() {
  const { t } = useTranslation('demo');
  const links = useFirstLinks().data;
  const details = useLinkDetails((links?.records ?? []).map(({ id }) => id));
  return (
    <div className="demo-cards">
      <Card title={t('topology')}>
        {links?.total === 0 ? <EmptyState title={t('noLinks')} /> : <LinksDiagram links={details} />}
      </Card>
      <div className="demo-pair">
        <div className="card">
          <RateChart />
        </div>
        <div className="card">
          <TablesChart taskId={links?.records[0]?.taskId} />
        </div>
        <Card title={t('tags')}>
          <StatesChart />
        </Card>
      </div>
    </div>
  );
}
