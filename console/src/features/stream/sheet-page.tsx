import { useMemo } from 'react';
import type { StreamQueryRecord } from '@/shared/api';
import { bytes } from '@/shared/lib/figures';
import type { Column } from '@/shared/ui/data-table';
import { customer, figure, first, inputs, moment, span, useWords } from './columns';
import { StreamQueryList } from './stream-query-list';

/** The tables that results are kept in, with everything that is measured of them. */
export default function SheetPage() {
  return <StreamQueryList place="sheet" name="computed-sheet" columns={useColumns()} />;
}

function useColumns(): Column<StreamQueryRecord>[] {
  const { t } = useWords();
  return useMemo<Column<StreamQueryRecord>[]>(
    () => [
      ...first(t),
      figure(t, 'rows'),
      figure(t, 'inserts'),
      figure(t, 'updates'),
      figure(t, 'deletes'),
      inputs(t, true),
      {
        key: 'stateBytes',
        title: t('stateBytes'),
        width: 120,
        align: 'right',
        text: ({ stateBytes }) => stateBytes,
        render: ({ stateBytes }) => <span className="tabular">{bytes(stateBytes)}</span>,
      },
      span(t, 'computedMs'),
      span(t, 'lagMs'),
      moment(t, 'computedAt', { leaveOut: true }),
      moment(t, 'lastChangeAt', { leaveOut: true }),
      { ...customer(t), leaveOut: true },
      {
        key: 'reason',
        type: 'text',
        title: t('reason'),
        minWidth: 160,
        length: 60,
        text: ({ reason }) => reason?.text ?? '',
      },
    ],
    [t],
  );
}
