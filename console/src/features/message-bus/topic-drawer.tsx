import { Alert, Descriptions, Drawer, Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusTopicDetail, ReaderRecord } from '@/shared/api';
import { bytes, count } from '@/shared/lib/figures';
import { usePageActive } from '@/shared/pages/page-context';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment, Share } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { type TopicPlace, useTopic } from './queries';
import { Records } from './records';
import { slowRate } from './topic-columns';

interface Props {
  place: TopicPlace;
  tab: 'readers' | 'records';
  onClose: () => void;
}

/** One topic: its figures, who reads it and from where, and what is in it. */
export default function TopicDrawer({ place, tab, onClose }: Props) {
  const { t } = useTranslation('message-bus');
  const isActive = usePageActive();
  const query = useTopic(place);
  const [shown, setShown] = useState<string>(tab);
  return (
    <Drawer
      title={place.topic}
      open={isActive}
      onClose={onClose}
      size="max(72%, 980px)"
      extra={<LiveMark query={query} />}
    >
      {query.data ? (
        <>
          <Figures detail={query.data} />
          <Tabs
            activeKey={shown}
            onChange={setShown}
            destroyOnHidden
            items={[
              { key: 'readers', label: t('readers'), children: <Readers readers={query.data.readers} /> },
              ...(query.data.topic.actions.includes('records')
                ? [{ key: 'records', label: t('records'), children: <Records place={place} /> }]
                : []),
            ]}
          />
        </>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={8} />
      )}
    </Drawer>
  );
}

function Figures({ detail }: { detail: BusTopicDetail }) {
  const { t } = useTranslation('message-bus');
  const { topic, replicas, inSync } = detail;
  const owner = topic.table ? `${topic.nodeName} · ${topic.table}` : topic.nodeName;
  return (
    <Descriptions
      size="small"
      column={3}
      items={[
        { key: 'owner', label: t('owner'), children: owner || t('ownerless') },
        {
          key: 'records',
          label: t('recordCount'),
          children: t('offsets', {
            count: topic.records,
            first: count(topic.firstOffset),
            next: count(topic.nextOffset),
          }),
        },
        { key: 'size', label: t('size'), children: bytes(topic.sizeBytes) },
        {
          key: 'rate',
          label: t('rate'),
          children: `${slowRate(topic.recordsPerSecond)} · ${bytes(topic.bytesPerSecond)}/s`,
        },
        { key: 'oldest', label: t('oldest'), children: <Moment at={topic.oldestAt} /> },
        { key: 'newest', label: t('newest'), children: <Moment at={topic.newestAt} /> },
        {
          key: 'partitions',
          label: t('partitions'),
          children:
            replicas === null
              ? topic.partitions
              : t('replicas', { partitions: topic.partitions, replicas, inSync }),
        },
        { key: 'disk', label: t('onDisk'), children: bytes(detail.diskBytes) },
        {
          key: 'retention',
          label: t('retention'),
          children: topic.retentionHours === null ? '–' : t('hours', { count: topic.retentionHours }),
        },
      ]}
    />
  );
}

function Readers({ readers }: { readers: readonly ReaderRecord[] }) {
  const { t } = useTranslation('message-bus');
  if (readers.length === 0) return <EmptyState title={t('noReaders')} hint={t('noReadersHint')} />;
  const lost = readers.filter(({ expired }) => expired);
  return (
    <>
      {lost.length > 0 && (
        <Alert
          type="error"
          showIcon
          className="bus-alert"
          title={t('expired', { names: lost.map(({ name }) => name).join(', ') })}
          description={t('expiredHint')}
        />
      )}
      <PlainTable<ReaderRecord>
        label={t('readers')}
        rows={readers}
        rowKey={({ kind, id, name }) => `${kind} ${id} ${name}`}
        columns={[
          { key: 'name', title: t('reader'), render: ({ owner, name }) => `${owner} / ${name}` },
          { key: 'kind', title: t('kind'), width: 110, render: ({ kind }) => t(`readerKinds.${kind}`) },
          {
            key: 'state',
            title: t('state'),
            width: 130,
            render: ({ state }) => state && <StateTag state={state} />,
          },
          {
            key: 'tables',
            title: t('tables'),
            width: 100,
            align: 'right',
            render: (reader) => tablesOf(reader, t),
          },
          {
            key: 'offset',
            title: t('offset'),
            width: 110,
            align: 'right',
            render: (reader) => count(reader.offset),
          },
          {
            key: 'behind',
            title: t('behind'),
            width: 190,
            align: 'right',
            render: (reader) => <Behind reader={reader} />,
          },
          { key: 'asOf', title: t('asOf'), width: 176, render: ({ asOf }) => <Moment at={asOf} /> },
        ]}
      />
    </>
  );
}

type Words = ReturnType<typeof useTranslation<'message-bus'>>['t'];

function tablesOf({ kind, tables, loading }: ReaderRecord, t: Words): string {
  if (kind === 'json') return '–';
  return loading > 0 && kind !== 'load' ? t('loadingOf', { loading, count: tables }) : count(tables);
}

/** How far a reader is: a load by rows, the others by records. */
function Behind({ reader }: { reader: ReaderRecord }) {
  const { t } = useTranslation('message-bus');
  if (reader.kind === 'load') {
    return reader.rowsTotal ? <Share done={reader.rowsLoaded ?? 0} total={reader.rowsTotal} /> : t('toLoad');
  }
  if (reader.behindRecords === null) return t('unknown');
  return t('behindShort', { count: reader.behindRecords, size: bytes(reader.behindBytes) });
}
