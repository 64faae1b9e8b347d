import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MuteRecord } from '@/shared/api';
import { alertPageMutesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { type Column, DataTable, MOMENT_WIDTH, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { allMutes, MESSAGES, useMutes } from './queries';
import { useEndMute } from './use-end-mute';

const defaults = { search: '' };
const keyOf = ({ id }: MuteRecord) => id;

/** What receivers and the bell are not notified of for some time. */
export function MutesTab() {
  const { t } = useTranslation('notification');
  const state = useTableState('mutes');
  const [filter, narrow] = useListFilter('alert-mutes', defaults, 'mutes');
  const asked = { ...state.request, search: filter.search };
  const query = useMutes(asked);
  return (
    <DataTable
      label={t('mutes')}
      name="alert-mutes"
      columns={useColumns()}
      list={alertPageMutesList}
      query={query}
      state={state}
      rowKey={keyOf}
      loadAll={() => allMutes(asked)}
      empty={filter.search ? { title: t('emptyFiltered') } : { title: t('noMutes'), hint: t('noMutesHint') }}
      toolbar={
        <ListSearch label={t('searchMute')} value={filter.search} onSearch={(search) => narrow({ search })} />
      }
      extra={<LiveMark query={query} />}
    />
  );
}

function useColumns(): Column<MuteRecord>[] {
  const { t } = useTranslation('notification');
  const mayOperate = useMay(MESSAGES)('operate');
  const end = useEndMute();
  return useMemo(() => {
    const moment = (key: 'until' | 'createdAt'): Column<MuteRecord> => ({
      key,
      title: t(key === 'until' ? 'mutedUntil' : 'mutedAt'),
      width: MOMENT_WIDTH,
      essential: key === 'until',
      text: (row) => time(row[key]),
      render: (row) => <Moment at={row[key]} />,
    });
    return [
      {
        key: 'objectName',
        type: 'text',
        title: t('mutedObject'),
        minWidth: 200,
        essential: true,
        text: ({ objectName }) => objectName ?? t('anyObject'),
      },
      {
        key: 'kind',
        type: 'text',
        title: t('mutedKind'),
        minWidth: 180,
        essential: true,
        text: ({ kindName }) => kindName ?? t('anyKind'),
      },
      moment('until'),
      {
        key: 'createdBy',
        type: 'text',
        title: t('mutedBy'),
        minWidth: 120,
        text: ({ createdBy }) => createdBy,
      },
      moment('createdAt'),
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 120,
        fixed: 'right',
        essential: true,
        shown: 1,
        actions: (row) => (mayOperate ? [{ key: 'end', label: t('endMute'), run: () => end(row) }] : []),
      },
    ];
  }, [t, mayOperate, end]);
}
