import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusRecord, BusTopicPageRequest, BusTopicRecord } from '@/shared/api';
import { messageBusPageList } from '@/shared/api/lists';
import { bytes } from '@/shared/lib/figures';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { allTopics, useBuses, useTopics } from './queries';
import { useTopicColumns } from './topic-columns';
import { useDeletion } from './use-deletion';
import './message-bus.css';

const TopicDrawer = lazy(() => import('./topic-drawer'));
const RetentionDrawer = lazy(() => import('./retention-drawer'));

export const ROLES = ['real', 'full', 'versions', 'structure', 'state'] as const;
const OWNERLESS = 'ownerless';
const defaults = { container: '', search: '', role: '' };
const keyOf = ({ name }: BusTopicRecord) => name;

type Opened = { topic: BusTopicRecord; at: 'detail' | 'records' | 'retention' } | undefined;

/** Topics of a container's bus: how large, how fast, who reads them, and what is in them. */
export default function MessageBusPage() {
  const { t } = useTranslation('message-bus');
  const query = useBuses();
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      {query.data && query.data.length > 0 ? (
        <Topics buses={query.data} />
      ) : query.data ? (
        <EmptyState title={t('noBus')} hint={t('noBusHint')} />
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={query.refetch} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  );
}

function Topics({ buses }: { buses: readonly BusRecord[] }) {
  const { t } = useTranslation('message-bus');
  const state = useTableState();
  const [filter, narrow] = useListFilter('message-bus', defaults);
  const [opened, setOpened] = useState<Opened>();
  const bus = buses.find(({ containerId }) => containerId === filter.container) ?? buses[0];
  const containerId = bus?.containerId ?? '';
  const asked: BusTopicPageRequest = {
    ...state.request,
    containerId,
    search: filter.search,
    role: ROLES.filter((role) => role === filter.role),
    ownerless: filter.role === OWNERLESS,
  };
  const query = useTopics(asked);
  const remove = useDeletion(containerId);
  const isFiltered = Boolean(filter.search || filter.role);
  const columns = useTopicColumns({
    onOpen: (topic, at) => setOpened({ topic, at }),
    onDelete: (topic) => void remove(topic).catch(() => undefined),
  });
  const close = () => setOpened(undefined);
  return (
    <>
      {bus && <BusFigures bus={bus} page={query.data} />}
      <DataTable
        label={t('topics')}
        name="message-bus"
        columns={columns}
        list={messageBusPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allTopics(asked)}
        empty={isFiltered ? { title: t('emptyFiltered') } : { title: t('empty'), hint: t('emptyHint') }}
        toolbar={
          <>
            {buses.length > 1 && (
              <ListChoice
                label={t('bus')}
                value={containerId}
                onChange={(container) => narrow({ container })}
                options={buses.map((one) => ({ value: one.containerId, label: one.containerName }))}
              />
            )}
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('role')}
              value={filter.role}
              onChange={(role) => narrow({ role })}
              options={[
                { value: '', label: t('anyRole') },
                ...ROLES.map((value) => ({ value, label: t(`roles.${value}`) })),
                { value: OWNERLESS, label: t('ownerless') },
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {(opened?.at === 'detail' || opened?.at === 'records') && (
          <TopicDrawer
            key={opened.topic.name}
            place={{ containerId, topic: opened.topic.name }}
            tab={opened.at === 'records' ? 'records' : 'readers'}
            onClose={close}
          />
        )}
        {opened?.at === 'retention' && (
          <RetentionDrawer
            place={{ containerId, topic: opened.topic.name }}
            topic={opened.topic}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

interface PageFigures {
  total: number;
  sizeBytes: number;
  diskTotalBytes: number | null;
  diskFreeBytes: number | null;
}

/** Where the bus is, and how full. */
function BusFigures({ bus, page }: { bus: BusRecord; page: PageFigures | undefined }) {
  const { t } = useTranslation('message-bus');
  const isDiskKnown = page?.diskTotalBytes !== null && page?.diskTotalBytes !== undefined;
  return (
    <div className="card bus-figures">
      <KeyFigures>
        <KeyFigure label={t('bus')}>
          {bus.kind === 'cluster' ? <code>{bus.address}</code> : t(`kinds.${bus.kind}`)}
        </KeyFigure>
        <KeyFigure label={t('hosts')}>{bus.hosts.join(', ') || '–'}</KeyFigure>
        <KeyFigure label={t('size')}>{bytes(page?.sizeBytes)}</KeyFigure>
        <KeyFigure label={t('disk')}>
          {isDiskKnown
            ? t('diskFree', { free: bytes(page.diskFreeBytes), total: bytes(page.diskTotalBytes) })
            : t(page && bus.kind === 'cluster' ? 'diskUnknown' : 'notMeasured')}
        </KeyFigure>
      </KeyFigures>
    </div>
  );
}
