import { Alert, Checkbox, Descriptions, Drawer, Space } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnRecord, PublishedRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { count, duration } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useAppendOnlyConfirmed } from '@/shared/ui/append-only';
import { AppendOnlyTag } from '@/shared/ui/append-only-tag';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { StateTag } from '@/shared/ui/state-tag';
import { useKeyChange, useTableColumns } from './queries';
import { TopicsTab } from './topics-tab';
import { Versions } from './versions';
import './publish.css';

const MetricsView = lazy(() => import('@/shared/widgets/metrics'));

interface Props {
  nodeMaster: string;
  table: PublishedRecord;
  onClose: () => void;
}

/** One published table: its state with the reason, its full topics, its structure until now, its columns, and its key. */
export default function TableDrawer({ nodeMaster, table, onClose }: Props) {
  const { t } = useTranslation('publish');
  const isActive = usePageActive();
  return (
    <Drawer title={`${table.schema}.${table.table}`} open={isActive} onClose={onClose} size="max(60%, 960px)">
      {table.appendOnly && (
        <p>
          <AppendOnlyTag />
        </p>
      )}
      <Descriptions
        size="small"
        column={2}
        items={[
          {
            key: 'state',
            label: t('list.state'),
            children: <StateTag state={table.state} reason={table.reason} />,
          },
          { key: 'since', label: t('table.since'), children: <Moment at={table.stateSince} /> },
          { key: 'rows', label: t('table.full'), children: count(table.rowsRead) },
          { key: 'delay', label: t('list.lag'), children: duration(table.delayMs) },
          { key: 'lastChange', label: t('table.lastChange'), children: <Moment at={table.lastChangeAt} /> },
          { key: 'expires', label: t('topic.expires'), children: <Moment at={table.expiresAt} /> },
        ]}
      />
      {table.reason && (
        <Alert
          type="warning"
          showIcon
          className="sync-alert"
          title={table.reason.text}
          description={table.reason.remedy || undefined}
        />
      )}
      <h2 className="publish-subtitle">{t('table.metrics')}</h2>
      <Suspense fallback={<LoadingState rows={8} />}>
        <MetricsView kind="published-table" id={table.id} name={`${table.schema}.${table.table}`} />
      </Suspense>
      <h2 className="publish-subtitle">{t('table.fullTopics')}</h2>
      <TopicsTab nodeMaster={nodeMaster} table={table.id} />
      <h2 className="publish-subtitle">{t('version.title')}</h2>
      <Versions nodeMaster={nodeMaster} table={table.id} />
      <h2 className="publish-subtitle">{t('table.columns')}</h2>
      <Columns nodeMaster={nodeMaster} table={table} onDone={onClose} />
    </Drawer>
  );
}

function Columns({
  nodeMaster,
  table,
  onDone,
}: {
  nodeMaster: string;
  table: PublishedRecord;
  onDone: () => void;
}) {
  const { t } = useTranslation(['publish', 'common']);
  const may = useMay('publish');
  const query = useTableColumns(nodeMaster, table.id);
  const [key, setKey] = useState<readonly string[]>(table.key);
  const [appendOnly, setAppendOnly] = useState(table.appendOnly);
  const confirmed = useAppendOnlyConfirmed();
  const change = useKeyChange(nodeMaster);
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (query.data === undefined) return <LoadingState rows={4} />;
  if (query.data === null) return <p>{t('table.gone')}</p>;
  const isOffered = table.actions.includes('set-key') && may('edit');
  const { primaryKey, uniqueKeys } = query.data;
  const hasKey = primaryKey.length > 0 || uniqueKeys.length > 0;
  const isUnchanged = key.join() === table.key.join() && appendOnly === table.appendOnly;
  const toggle = (name: string) =>
    setKey(key.includes(name) ? key.filter((other) => other !== name) : [...key, name]);
  const save = async () => {
    await change.mutateAsync({ table: table.id, key: appendOnly ? [] : [...key], appendOnly });
    notify('success', t('table.keySet'));
    onDone();
  };
  return (
    <>
      <PlainTable<ColumnRecord>
        label={t('table.columns')}
        rows={query.data.columns}
        rowKey={({ name }) => name}
        columns={[
          ...(isOffered
            ? [
                {
                  key: 'applyByKey',
                  title: 'ApplyByKey',
                  width: 100,
                  render: ({ name }: ColumnRecord) => (
                    <Checkbox
                      checked={key.includes(name) && !appendOnly}
                      disabled={appendOnly}
                      title={appendOnly ? t('table.appendOnlyNoKeys') : undefined}
                      aria-label={t('table.keyColumn', { name })}
                      onChange={() => toggle(name)}
                    />
                  ),
                },
              ]
            : []),
          { key: 'name', title: t('table.column'), render: ({ name }: ColumnRecord) => name },
          { key: 'type', title: t('table.type'), render: ({ nativeType }: ColumnRecord) => nativeType },
          {
            key: 'nullable',
            title: t('table.nullable'),
            width: 80,
            render: ({ nullable }: ColumnRecord) => t(nullable ? 'table.yes' : 'table.no'),
          },
          {
            key: 'key',
            title: t('table.ownKey'),
            width: 90,
            render: (column: ColumnRecord) => t(column.key ? 'table.yes' : 'table.no'),
          },
        ]}
      />
      {isOffered && (!hasKey || appendOnly) && (
        <Space className="publish-key">
          <Checkbox checked={appendOnly} onChange={({ target }) => setAppendOnly(target.checked)}>
            {t('common:appendOnly.offer')}
          </Checkbox>
          <span>{t('table.appendOnlyHint')}</span>
        </Space>
      )}
      {isOffered && (
        <Space className="publish-key">
          <RefusableButton
            refused={isUnchanged ? t('table.keyUnchanged') : undefined}
            loading={change.isPending}
            onClick={() =>
              confirmed(
                appendOnly && !table.appendOnly ? [`${table.schema}.${table.table}`] : [],
                save,
              ).catch(() => undefined)
            }
          >
            {t('table.saveKey')}
          </RefusableButton>
          <span>{t('table.keyHint')}</span>
        </Space>
      )}
    </>
  );
}
