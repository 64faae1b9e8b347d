import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { Button, Modal, Tag } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call, type SessionRecord, sessionEndAllOwn, sessionEndOwn, sessionPageOwn } from '@/shared/api';
import { sessionPageOwnList } from '@/shared/api/lists';
import { clearSession } from '@/shared/api/session';
import { beginFarewell, endFarewell } from '@/shared/api/token';
import { useRead } from '@/shared/hooks/use-live';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { type Column, DataTable, MOMENT_WIDTH, useOwnTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { browserName } from './browser-name';

const QUERY = ['account', 'sessions'];

const keyOf = (row: SessionRecord) => row.id;

/** Where the viewer is signed in, and how to end it. */
export default function SessionsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const state = useOwnTableState();
  const [search, setSearch] = useState('');
  const body = { ...state.request, search };
  const query = useRead({
    queryKey: [...QUERY, body],
    queryFn: ({ signal }) => call(sessionPageOwn({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const columns = useColumns();
  const endAll = useEndAll();
  return (
    <Modal open width={900} title={t('sessions.title')} footer={null} onCancel={onClose}>
      <p>{t('sessions.hint')}</p>
      <DataTable
        label={t('sessions.title')}
        name="own-sessions"
        columns={columns}
        list={sessionPageOwnList}
        query={query}
        state={state}
        rowKey={keyOf}
        empty={{ title: t('sessions.empty') }}
        toolbar={
          <>
            <Button danger onClick={endAll}>
              {t('sessions.endAll')}
            </Button>
            <ListSearch
              label={t('sessions.search')}
              value={search}
              onSearch={(next) => {
                setSearch(next);
                state.toFirstPage();
              }}
            />
          </>
        }
      />
    </Modal>
  );
}

function useEndAll(): () => void {
  const { t } = useTranslation('account');
  const confirm = useConfirmDanger();
  const navigate = useNavigate();
  const run = async () => {
    // The server ends this session as well: pages that still poll must not report a lost one.
    beginFarewell();
    try {
      await call(sessionEndAllOwn({ body: { keepThis: false } })).catch(reportFailure('submit'));
    } catch (error) {
      endFarewell();
      throw error;
    }
    clearSession();
    session.set(storeKeys.farewell, t('sessions.endedAll'));
    navigate(paths.signIn());
  };
  return () =>
    confirm({
      title: t('sessions.endAllTitle'),
      content: t('sessions.endAllHint'),
      action: t('sessions.endAll'),
      run,
    });
}

function useColumns(): Column<SessionRecord>[] {
  const { t } = useTranslation('account');
  const confirm = useConfirmDanger();
  const client = useQueryClient();
  return useMemo(() => {
    const nameOf = ({ agent }: SessionRecord) => (agent ? browserName(agent) : t('sessions.unknown'));
    const end = (row: SessionRecord) =>
      confirm({
        title: t('sessions.endTitle', { name: nameOf(row) }),
        content: t('sessions.endHint', { address: row.address ?? '' }),
        action: t('sessions.end'),
        run: async () => {
          await call(sessionEndOwn({ body: { id: row.id } })).catch(reportFailure('submit'));
          notify('success', t('sessions.ended'));
          await client.invalidateQueries({ queryKey: QUERY });
        },
      });
    return [
      {
        key: 'agent',
        title: t('sessions.agent'),
        minWidth: 180,
        essential: true,
        text: nameOf,
        render: (row) => (
          <>
            {nameOf(row)} {row.isCurrent && <Tag>{t('sessions.current')}</Tag>}
          </>
        ),
      },
      {
        key: 'address',
        type: 'text',
        title: t('sessions.address'),
        width: 150,
        text: ({ address }) => address,
      },
      {
        key: 'createdAt',
        title: t('sessions.createdAt'),
        width: MOMENT_WIDTH,
        leaveOut: true,
        text: ({ createdAt }) => createdAt,
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      {
        key: 'usedAt',
        title: t('sessions.usedAt'),
        width: MOMENT_WIDTH,
        text: ({ usedAt }) => usedAt,
        render: ({ usedAt }) => <Moment at={usedAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('sessions.actions'),
        width: 100,
        fixed: 'right',
        essential: true,
        actions: (row) =>
          row.isCurrent ? [] : [{ key: 'end', label: t('sessions.end'), danger: true, run: () => end(row) }],
      },
    ];
  }, [t, confirm, client]);
}
