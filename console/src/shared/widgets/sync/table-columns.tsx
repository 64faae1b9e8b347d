import {
  ClockCircleOutlined,
  EllipsisOutlined,
  LineChartOutlined,
  QuestionCircleOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, Space } from 'antd';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { count, duration, rate, time } from '@/shared/lib/figures';
import { AppendOnlyTag } from '@/shared/ui/append-only-tag';
import { type Column, MOMENT_WIDTH } from '@/shared/ui/data-table';
import { Count, Moment, Share, TimeUntil } from '@/shared/ui/figures';
import { StateTag } from '@/shared/ui/state-tag';
import { PaceMark } from './pace-mark';
import { furtherTableVerbs, type TableVerb, tableVerbs } from './queries';
import { VerifiedCell } from './verified-cell';

type Row = TaskTableRecord;
type Act = (verb: TableVerb, rows: readonly Row[]) => void;
type Text = TFunction<'sync'>;
type Explain = (row: Row) => void;
/** What a row's buttons lead to; `openErrors` is left out where row errors are not shown. */
export interface TableWays {
  /** Left out where the viewer may not. */
  act: Act | undefined;
  explain: Explain;
  openErrors: ((row: Row) => void) | undefined;
  /** Left out where metrics are not shown. */
  measure?: (row: Row) => void;
}

const FAILED = new Set(['error', 'full-error', 'incremental-error', 'full-info-expired', 'table-locked']);

/** The state, and a way to its reason where it has one. */
function StateCell({ row, explain }: { row: Row; explain: Explain }) {
  const { t } = useTranslation('sync');
  return (
    <>
      <StateTag
        state={row.state}
        reason={row.reason}
        since={row.since}
        rowErrors={row.rowErrors}
        differences={row.verification?.differences ?? 0}
      />
      <PaceMark pace={row.pace} />
      {row.appendOnly && <AppendOnlyTag />}
      {row.reason && (
        <Button
          type="text"
          icon={<QuestionCircleOutlined />}
          aria-label={t('table.why', { name: row.source })}
          onClick={() => explain(row)}
        />
      )}
      <Expiry at={row.expiresAt} />
    </>
  );
}

/** A clock next to the state of a table whose waiting changes retention will remove. */
function Expiry({ at }: { at: string | null }) {
  const { t } = useTranslation('sync');
  if (!at) return null;
  const text = t('table.expiresIn', { left: duration(Date.parse(at) - Date.now()), at: time(at) });
  return (
    <span role="img" aria-label={text} title={text} className="table-expiry">
      <ClockCircleOutlined aria-hidden />
    </span>
  );
}

/** A table without rows is loaded as soon as that is known: then there is no share to show. */
function Progress({ row: { percent, rowsLoaded, rowsTotal, state } }: { row: Row }) {
  if (percent === null || rowsTotal === null) return '–';
  if (rowsTotal === 0) return percent === 100 ? '100%' : '–';
  return <Share done={rowsLoaded} total={rowsTotal} failed={FAILED.has(state)} />;
}

/**
 * All columns of the table list; the viewer hides those that are not wanted. What decides comes first, so that at 1280
 * pixels it is in sight; the actions are there for chosen tables, too, and scroll away.
 */
export function useTableColumns({ act, explain, openErrors, measure }: TableWays): Column<Row>[] {
  const { t } = useTranslation('sync');
  return useMemo(
    () => [
      ...identity(t, explain),
      ...figures(t, { openErrors, measure }),
      target(t),
      ...progress(t),
      verified(t, act !== undefined),
      ...moments(t, explain),
      ...actions(t, act),
    ],
    [t, act, explain, openErrors, measure],
  );
}

/** Errors met so far; while row errors are open, the way to them. */
function ErrorCount({ row, open }: { row: Row; open: TableWays['openErrors'] }) {
  const { t } = useTranslation('sync');
  if (row.rowErrors === 0 || !open) return <span data-failed={row.errors > 0}>{count(row.errors)}</span>;
  const words = t('table.openErrors', { name: row.source, count: row.rowErrors });
  return (
    <Button
      type="link"
      danger
      className="table-reason"
      title={words}
      aria-label={words}
      onClick={() => open(row)}
    >
      {count(Math.max(row.errors, row.rowErrors))}
    </Button>
  );
}

function identity(t: Text, explain: Explain): Column<Row>[] {
  return [
    {
      key: 'source',
      title: t('table.source'),
      minWidth: 140,
      essential: true,
      render: ({ source }) => <span title={source}>{source}</span>,
    },
    {
      key: 'state',
      title: t('table.state'),
      // "Incremental running" and its pace: what does not fit would be cut.
      width: 240,
      essential: true,
      render: (row) => <StateCell row={row} explain={explain} />,
    },
  ];
}

function target(t: Text): Column<Row> {
  return {
    key: 'target',
    title: t('table.target'),
    minWidth: 140,
    render: ({ target: name }) => <span title={name}>{name}</span>,
  };
}

function progress(t: Text): Column<Row>[] {
  return [
    {
      key: 'percent',
      title: t('table.progress'),
      width: 120,
      render: (row) => <Progress row={row} />,
    },
    {
      key: 'rowsLoaded',
      title: t('table.rows'),
      width: 150,
      leaveOut: true,
      align: 'right',
      render: ({ rowsLoaded, rowsTotal }) => (
        <>
          <Count value={rowsLoaded} /> / <Count value={rowsTotal} />
        </>
      ),
    },
    {
      key: 'timeLeftMs',
      title: t('table.timeLeft'),
      width: 100,
      leaveOut: true,
      align: 'right',
      render: ({ timeLeftMs }) => duration(timeLeftMs),
    },
  ];
}

function figures(t: Text, { openErrors, measure }: Pick<TableWays, 'openErrors' | 'measure'>): Column<Row>[] {
  const counts = (['inserts', 'updates', 'deletes'] as const).map(
    (key): Column<Row> => ({
      key,
      title: t(`table.${key}`),
      width: 92,
      align: 'right',
      render: (row) => <Count value={row[key]} />,
    }),
  );
  return [
    {
      key: 'rowsPerSecond',
      title: t('table.rate'),
      width: 90,
      align: 'right',
      render: ({ rowsPerSecond }) => rate(rowsPerSecond),
    },
    ...counts,
    {
      key: 'lagMs',
      title: t('table.lag'),
      width: 104,
      align: 'right',
      render: (row) => <Lag row={row} open={measure} />,
    },
    {
      key: 'errors',
      title: t('table.errors'),
      width: 80,
      align: 'right',
      render: (row) => <ErrorCount row={row} open={openErrors} />,
    },
  ];
}

/** Why a table stands still, since when and how long its data is there. */
function moments(t: Text, explain: Explain): Column<Row>[] {
  return [
    {
      key: 'reason',
      title: t('table.reason'),
      minWidth: 140,
      leaveOut: true,
      render: (row) =>
        row.reason ? (
          <Button type="link" className="table-reason" title={row.reason.text} onClick={() => explain(row)}>
            {row.reason.text}
          </Button>
        ) : (
          '–'
        ),
    },
    ...(['expiresAt', 'fullExpiresAt'] as const).map(
      (key): Column<Row> => ({
        key,
        title: t(`table.${key}`),
        width: 150,
        leaveOut: true,
        render: (row) => <TimeUntil at={row[key]} />,
      }),
    ),
    {
      key: 'since',
      title: t('table.since'),
      width: MOMENT_WIDTH,
      leaveOut: true,
      render: ({ since }) => <Moment at={since} />,
    },
  ];
}

/** The lag now, and a way to how it was. */
function Lag({ row, open }: { row: Row; open: TableWays['measure'] }) {
  const { t } = useTranslation('sync');
  const lag = duration(row.lagMs);
  if (!open) return lag;
  return (
    <button
      type="button"
      className="row-action"
      aria-label={t('table.metricsOf', { lag, name: row.source })}
      onClick={() => open(row)}
    >
      {lag} <LineChartOutlined />
    </button>
  );
}

function verified(t: Text, mayRepair: boolean): Column<Row> {
  return {
    key: 'verifiedUntil',
    of: ['verification'],
    title: t('verified.until'),
    width: MOMENT_WIDTH,
    render: (row) => <VerifiedCell row={row} mayRepair={mayRepair} />,
  };
}

function actions(t: Text, act: Act | undefined): Column<Row>[] {
  if (!act) return [];
  return [
    {
      key: 'actions',
      title: t('table.actions'),
      width: 190,
      essential: true,
      render: (row) => (
        <Space size={0}>
          {tableVerbs
            .filter((verb) => row.actions.includes(verb))
            .map((verb) => (
              <Button
                key={verb}
                type="link"
                aria-label={t(`table.actionNamed.${verb}`, { name: row.source })}
                onClick={() => act(verb, [row])}
              >
                {t(`table.action.${verb}`)}
              </Button>
            ))}
          <FurtherActions row={row} t={t} act={act} />
        </Space>
      ),
    },
  ];
}

/** What is only done to tables that stand still. */
function FurtherActions({ row, t, act }: { row: Row; t: Text; act: Act }) {
  const verbs = furtherTableVerbs.filter((verb) => row.actions.includes(verb));
  if (verbs.length === 0) return null;
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: verbs.map((verb) => ({
          key: verb,
          label: t(`table.action.${verb}`),
          onClick: () => act(verb, [row]),
        })),
      }}
    >
      <Button type="link" icon={<EllipsisOutlined />} aria-label={t('table.moreOf', { name: row.source })} />
    </Dropdown>
  );
}
