import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinkRecord } from '@/shared/api';
import { duration, rate, time } from '@/shared/lib/figures';
import type { Column } from '@/shared/ui/data-table';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { isMarred } from '@/shared/ui/states';
import { FailedTablesLink, RowErrorsLink, WarningsLink } from './faults';
import { PaceMark } from './pace-mark';
import { Route, routeText } from './place';
import { TableTally } from './table-tally';
import './sync.css';

/** What links and tasks have in common: data flows from a source to a target. */
export type Flow = Pick<
  LinkRecord,
  | 'id'
  | 'state'
  | 'reason'
  | 'heldUp'
  | 'pace'
  | 'stale'
  | 'asOf'
  | 'tables'
  | 'warnings'
  | 'rowsPerSecond'
  | 'lagMs'
  | 'source'
  | 'target'
> & {
  /** Left out where the flow is the link itself. */
  linkId?: string;
};

/** The columns of a list of flows, in the order they usually stand in. */
export function useFlowColumns() {
  const { t } = useTranslation('sync');
  return useMemo(
    () => ({
      state: {
        key: 'state',
        title: t('flow.state'),
        minWidth: 216,
        essential: true,
        text: ({ state, pace, warnings, tables: { rowErrors, differing, error } }) =>
          [
            stateLabel(state),
            ...(pace ? [t(`pace.${pace}.word`)] : []),
            ...(isMarred(state, error) ? [t('failedTables.count', { count: error })] : []),
            ...(rowErrors > 0 ? [t('rowErrors.count', { count: rowErrors })] : []),
            ...(differing > 0 ? [t('verified.tables', { count: differing })] : []),
            ...(warnings.length > 0 ? [t('warnings.count', { count: warnings.length })] : []),
          ].join(', '),
        render: ({ id, linkId, state, reason, heldUp, pace, stale, asOf, tables, warnings }) => (
          <>
            <StateTag
              state={state}
              heldUp={heldUp}
              rowErrors={tables.rowErrors}
              differingTables={tables.differing}
              failedTables={tables.error}
              warnings={warnings.length}
              reason={stale ? { text: t('flow.stale', { time: time(asOf) }) } : reason}
            />
            <PaceMark pace={pace} />
            <FailedTablesLink linkId={linkId ?? id} link={{ state, tables }} />
            <RowErrorsLink linkId={linkId ?? id} count={tables.rowErrors} />
            <WarningsLink linkId={linkId ?? id} warnings={warnings} />
          </>
        ),
      } satisfies Column<Flow>,
      figures: [
        {
          key: 'tables',
          title: t('flow.tables'),
          width: 150,
          align: 'right',
          text: ({ tables }) => tables.total,
          render: ({ tables }) => <TableTally tables={tables} compact />,
        },
        {
          key: 'rowsPerSecond',
          title: t('flow.rate'),
          width: 90,
          align: 'right',
          text: ({ rowsPerSecond, stale }) => (stale ? null : rowsPerSecond),
          render: ({ rowsPerSecond, stale }) => (stale ? '–' : rate(rowsPerSecond)),
        },
        {
          key: 'lagMs',
          title: t('flow.lag'),
          width: 90,
          align: 'right',
          text: ({ lagMs, stale }) => (stale ? null : lagMs),
          render: ({ lagMs, stale }) => (stale ? '–' : duration(lagMs)),
        },
        {
          key: 'source',
          title: t('flow.places'),
          minWidth: 210,
          text: routeText,
          render: (ends) => <Route {...ends} />,
        },
      ] satisfies Column<Flow>[],
    }),
    [t],
  );
}
