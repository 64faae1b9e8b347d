import { Button, Checkbox, Drawer, Select, Space } from 'antd';
import { useMemo, useState } from 'react';
import { call, type MasterRecord, type PublishedCandidate } from '@/shared/api';
import { subscribePagePublishedList } from '@/shared/api/lists';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { Count, Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { useLeave } from '@/shared/ui/use-leave';
import { follow } from '@/shared/widgets/call-progress';
import { useAskToSelect } from '@/shared/widgets/sync/bulk-buttons';
import type { TableResult } from '@/shared/widgets/sync/results-dialog';
import { AdditionRules, isTransforming, NO_TRANSFORM } from './addition-rules';
import { useAudience, useWords } from './audience';
import { allPublished, calls, useAsk, useChannelsOf, usePublished } from './queries';
import './subscribe.css';

interface Props {
  master: MasterRecord;
  /** Called where some could not be added. */
  onResults: (results: readonly TableResult[]) => void;
  onClose: () => void;
}

const keyOf = ({ id }: PublishedCandidate) => id;

/** What the master's node publishes and it does not have yet, searched and paged by the server. */
export default function AddTablesDrawer({ master, onResults, onClose }: Props) {
  const { t } = useWords();
  const isActive = usePageActive();
  const state = useTableState('add-');
  const [search, setSearch] = useState('');
  const [channelId, setChannelId] = useState<string>();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [transform, setTransform] = useState(NO_TRANSFORM);
  const [goOn, setGoOn] = useState(true);
  const mustTransform = useAudience().clientType === 'databus';
  const query = usePublished(master.id, state.request, search);
  const channels = useChannelsOf(master.id);
  const addition = useAsk('submit', (tables: string[]) =>
    follow(t('sheet.addTo', { name: master.name }), (headers) =>
      call(
        calls.addTables({
          body: {
            controlId: master.id,
            channelId: channelId ?? null,
            tables,
            rules: [...transform.rules],
            where: transform.where.trim() || null,
            goOn,
          },
          headers,
        }),
      ),
    ),
  );
  const isWithoutRules = mustTransform && !isTransforming(transform);
  const askToSelect = useAskToSelect();
  const columns = useColumns();
  const leave = useLeave();
  const isChanged = picked.size > 0 || isTransforming(transform);
  useUnsaved(() => isChanged, { kept: true });
  const close = () => leave(isChanged, onClose);
  const chooseAll = async () => {
    const rows = await allPublished(master.id, search);
    setPicked(new Set([...picked, ...rows.map(keyOf)]));
  };
  const add = async () => {
    const results = await addition.mutateAsync([...picked]);
    const done = results.filter((result) => result.done).length;
    if (done === results.length) notify('success', t('sheet.added', { count: done }));
    else onResults(results);
    onClose();
  };
  return (
    <Drawer
      title={t('sheet.addTo', { name: master.name })}
      open={isActive}
      onClose={close}
      size="60%"
      className="table-drawer"
      footer={
        <Space className="drawer-footer">
          {query.data?.records.some(({ unboundAt }) => unboundAt !== null) && (
            <Checkbox
              checked={goOn}
              title={t('sheet.goOnHint')}
              onChange={({ target }) => setGoOn(target.checked)}
            >
              {t('sheet.goOn')}
            </Checkbox>
          )}
          <Select
            aria-label={t('channel.name')}
            allowClear
            placeholder={t('sheet.anyChannel')}
            value={channelId ?? null}
            onChange={(value: string | null) => setChannelId(value ?? undefined)}
            options={(channels.data?.records ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            popupMatchSelectWidth={false}
          />
          <Button onClick={close}>{t('config.cancel')}</Button>
          <RefusableButton
            type="primary"
            refused={isWithoutRules ? t('rule.lastStays') : undefined}
            loading={addition.isPending}
            // A refusal is answered by the notice that every failed change gets.
            onClick={() => (picked.size === 0 ? askToSelect() : add().catch(() => undefined))}
          >
            {t('sheet.subscribe', { count: picked.size })}
          </RefusableButton>
        </Space>
      }
    >
      {mustTransform && <AdditionRules transform={transform} onChange={setTransform} />}
      <DataTable
        label={t('sheet.candidates')}
        name="subscribe-candidates"
        columns={columns}
        list={subscribePagePublishedList}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys: picked, onChange: setPicked }}
        empty={
          search
            ? { title: t('emptyFiltered') }
            : { title: t('sheet.noCandidates'), hint: t('sheet.noCandidatesHint') }
        }
        toolbar={
          <>
            <ListSearch
              label={t('sheet.searchTable')}
              value={search}
              onSearch={(wanted) => {
                setSearch(wanted);
                state.toFirstPage();
              }}
            />
            <Button disabled={!query.data?.total} onClick={() => chooseAll().catch(() => undefined)}>
              {t('sheet.chooseAll', { total: query.data?.total ?? 0 })}
            </Button>
          </>
        }
      />
    </Drawer>
  );
}

function useColumns(): Column<PublishedCandidate>[] {
  const { t } = useWords();
  return useMemo(
    () => [
      {
        key: 'table',
        title: t('sheet.table'),
        minWidth: 200,
        essential: true,
        type: 'text',
        length: 60,
        text: ({ schema, table }) => `${schema}.${table}`,
      },
      {
        key: 'state',
        title: t('sheet.publishState'),
        width: 150,
        text: ({ state }) => stateLabel(state),
        render: ({ state, reason }) => <StateTag state={state} reason={reason} />,
      },
      {
        key: 'rowsTotal',
        title: t('sheet.rowsTotal'),
        width: 110,
        align: 'right',
        text: ({ rowsTotal }) => rowsTotal,
        render: ({ rowsTotal }) => <Count value={rowsTotal} />,
      },
      {
        key: 'unboundAt',
        title: t('sheet.unboundAt'),
        width: 170,
        leaveOut: true,
        text: ({ unboundAt }) => unboundAt,
        render: ({ unboundAt }) => <Moment at={unboundAt} />,
      },
    ],
    [t],
  );
}
