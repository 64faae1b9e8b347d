import { Button } from 'antd';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { SheetRecord } from '@/shared/api';
import { bytes, duration } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import type { Column } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { StateMark, stateLabel } from '@/shared/ui/state-tag';
import type { TableVerb } from '@/shared/widgets/sync/queries';
import { useTableColumns } from '@/shared/widgets/sync/table-columns';
import { useAudience, useWords } from './audience';

type Row = SheetRecord;
type Open = (opened: { kind: 'reason' | 'table' | 'rules' | 'comparison'; row: Row }) => void;

/** What every list of tables shows, and what only the data sheet knows; the viewer shows what is hidden at first. */
export function useSheetColumns(
  act: ((verb: TableVerb, rows: readonly Row[]) => void) | undefined,
  open: Open,
  openErrors: (row: Row) => void,
): Column<Row>[] {
  const { t } = useWords();
  const { clientType } = useAudience();
  const ways = useMemo(
    () => ({
      act: act && ((verb: TableVerb, rows: readonly unknown[]) => act(verb, rows as readonly Row[])),
      explain: (row: unknown) => open({ kind: 'reason', row: row as Row }),
      openErrors: (row: unknown) => openErrors(row as Row),
    }),
    [act, open, openErrors],
  );
  const usual = useTableColumns(ways) as readonly Column<unknown>[] as Column<Row>[];
  return useMemo(() => {
    const own = usual.map((column) =>
      column.key === 'source'
        ? ({
            ...column,
            type: 'slot',
            text: (row: Row) => row.source,
            render: (row: Row) => (
              <Button type="link" className="table-reason" onClick={() => open({ kind: 'table', row })}>
                {row.source}
              </Button>
            ),
          } as Column<Row>)
        : column,
    );
    const actions = own.filter(({ key }) => key === 'actions');
    const shown = own.filter(({ key }) => key !== 'actions');
    const place = shown.findIndex(({ key }) => key === 'state');
    // What a process does with its tables comes first, and what few subscribers do comes last.
    const [first, last] = clientType === 'databus' ? [[rules(t, open)], []] : [[], [rules(t, open)]];
    return [
      ...shown.slice(0, place),
      ...first,
      ...places(t),
      ...shown.slice(place, place + 1),
      // Belongs next to the state; farther right it is out of sight at 1280 pixels.
      ...comparisons(t, open),
      ...shown.slice(place + 1),
      ...further(t),
      ...last.map((column) => ({ ...column, leaveOut: true })),
      ...actions.map((column) => leadingToLinks(column, t)),
    ];
  }, [usual, t, open, clientType]);
}

type Words = ReturnType<typeof useWords>['t'];

function rules(t: Words, open: Open): Column<Row> {
  return {
    key: 'etlRules',
    title: t('rule.name'),
    width: 90,
    align: 'right',
    text: ({ etlRules }) => etlRules,
    render: (row) => (
      <Button
        type="link"
        className="table-reason"
        aria-label={t('rule.title', { name: row.source })}
        onClick={() => open({ kind: 'rules', row })}
      >
        {row.etlRules}
      </Button>
    ),
  };
}

function places(t: Words): Column<Row>[] {
  return [
    {
      key: 'channelName',
      title: t('channel.name'),
      minWidth: 120,
      text: ({ channelName }) => channelName,
      render: ({ channelName, controlName, customerName }) => (
        <span title={`${customerName} / ${controlName} / ${channelName}`}>{channelName}</span>
      ),
    },
  ];
}

/** Tables of a link are steered there: that is what their actions lead to. */
function leadingToLinks(actions: Column<Row>, t: Words): Column<Row> {
  if (!('render' in actions)) return actions;
  const { render } = actions;
  return {
    ...actions,
    render: (row, index) =>
      row.linkId ? (
        <Link className="table-link" to={paths.syncLink(row.linkId)}>
          {t('ofLink')}
        </Link>
      ) : (
        render(row, index)
      ),
  };
}

/** What the last comparison with the source says. */
function comparisons(t: Words, open: Open): Column<Row>[] {
  return [
    {
      key: 'comparison',
      title: t('comparison.title'),
      width: 180,
      text: ({ comparison }) => (comparison ? stateLabel(comparison.state) : ''),
      render: (row) => (
        <Button type="link" className="table-reason" onClick={() => open({ kind: 'comparison', row })}>
          {row.comparison ? <StateMark state={row.comparison.state} /> : t('comparison.never')}
        </Button>
      ),
    },
    {
      key: 'differences',
      of: ['comparison'],
      title: t('comparison.differences'),
      width: 100,
      align: 'right',
      hidden: true,
      text: ({ comparison }) => comparison?.differences,
      render: ({ comparison }) => <Count value={comparison?.differences} />,
    },
    {
      key: 'comparisonColumns',
      of: ['comparison'],
      title: t('comparison.columns'),
      width: 140,
      hidden: true,
      type: 'text',
      text: ({ comparison }) => comparison && (comparison.columns.join(', ') || t('comparison.allColumns')),
    },
    {
      key: 'rounds',
      of: ['comparison'],
      title: t('comparison.rounds'),
      width: 110,
      align: 'right',
      hidden: true,
      type: 'text',
      text: ({ comparison }) => comparison?.rounds,
    },
    {
      key: 'lastCompared',
      of: ['comparison'],
      title: t('comparison.last'),
      width: 170,
      hidden: true,
      text: ({ comparison }) => comparison?.finishedAt,
      render: ({ comparison }) => <Moment at={comparison?.finishedAt} />,
    },
  ];
}

/** Fields of the specification that are rarely needed in a list. */
function further(t: Words): Column<Row>[] {
  const plain: readonly [keyof Row, string, number, (row: Row) => string | number | null][] = [
    ['customerName', t('customer.name'), 120, (row) => row.customerName],
    ['controlName', t('master.name'), 120, (row) => row.controlName],
    ['nodeName', t('node'), 120, (row) => row.nodeName],
    ['customerId', t('customer.id'), 200, (row) => row.customerId],
    ['nodeMaster', t('nodeId'), 200, (row) => row.nodeMaster],
    ['policyNames', t('sheet.policy'), 120, (row) => row.policyNames.join(', ')],
    ['queueName', t('sheet.queueName'), 160, (row) => row.queueName],
    ['fullTopic', t('sheet.fullTopic'), 160, (row) => row.fullTopic],
    ['loadType', t('master.loadType'), 100, (row) => t(`loadType.${row.loadType}`)],
    ['loadThreads', t('channel.threads'), 100, (row) => row.loadThreads],
    ['version', t('sheet.version'), 80, (row) => row.version],
    ['applyByKey', 'ApplyByKey', 120, (row) => row.applyByKey.join(', ')],
    ['columns', t('sheet.columns'), 140, (row) => row.columns.map(([source]) => source).join(', ')],
    ['where', t('sheet.where'), 140, (row) => row.where],
    ['targetWhere', t('sheet.targetWhere'), 140, (row) => row.targetWhere],
    ['dmlSkip', t('sheet.dmlSkip'), 110, (row) => row.dmlSkip],
    ['ddlSkip', t('sheet.ddlSkip'), 110, (row) => row.ddlSkip],
    ['ddlSeen', t('sheet.ddlSeen'), 100, (row) => row.ddlSeen],
    ['ddlFollowed', t('sheet.ddlFollowed'), 100, (row) => row.ddlFollowed],
    ['ddlSkipped', t('sheet.ddlSkipped'), 100, (row) => row.ddlSkipped],
    ['errorRate', t('sheet.errorRate'), 100, (row) => row.errorRate],
    [
      'totalTimeMs',
      t('sheet.totalTime'),
      110,
      (row) => (row.totalTimeMs === null ? null : duration(row.totalTimeMs)),
    ],
  ];
  const moments = ['loadStartedAt', 'lastDdlAt', 'offsetTime', 'updateTime'] as const;
  return [
    {
      key: 'loadSizeBytes',
      title: t('sheet.loadSize'),
      width: 150,
      align: 'right',
      hidden: true,
      text: ({ loadSizeBytes }) => loadSizeBytes,
      render: (row) => <LoadSize row={row} />,
    },
    ...plain.map(
      ([key, title, width, text]): Column<Row> => ({ key, title, width, hidden: true, type: 'text', text }),
    ),
    ...moments.map(
      (key): Column<Row> => ({
        key,
        title: t(`sheet.${key}`),
        width: 170,
        hidden: true,
        text: (row) => row[key],
        render: (row) => <Moment at={row[key]} />,
      }),
    ),
  ];
}

/** What was loaded; while the load runs also what the whole table will be, which is estimated. */
function LoadSize({ row: { loadSizeBytes, loadSizeTotalBytes, percent } }: { row: Row }) {
  const { t } = useWords();
  const isRunning = percent !== null && percent < 100 && loadSizeTotalBytes !== null;
  return (
    <span className="tabular">
      {bytes(loadSizeBytes)}
      {isRunning && t('sheet.loadSizeOf', { total: bytes(loadSizeTotalBytes) })}
    </span>
  );
}
