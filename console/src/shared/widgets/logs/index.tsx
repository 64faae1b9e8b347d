import { DownloadOutlined, ReloadOutlined } from '@ant-design/icons';
import { Alert, Button, Switch } from 'antd';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, type LogEntryRecord, type LogFound } from '@/shared/api';
import { notifyFailure } from '@/shared/api/notices';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { count, time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { saveText } from '@/shared/lib/save-file';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { isLive, usualRange } from '../metrics/range';
import { RangePicker } from '../metrics/range-picker';
import { EntryList } from './entry-list';
import { LogFilters } from './filters';
import { allEntries, type LogScope, MOST_ENTRIES, noFilter, useFollowed, useLogSearch } from './queries';
import './logs.css';

const AroundDrawer = lazy(() => import('./around-drawer'));
const CountsChart = lazy(() => import('./counts-chart'));
const LogSourceChoice = lazy(() => import('./source-choice'));

interface Props {
  scope: LogScope;
  /** What a downloaded file is called by. */
  name: string;
}

/** Apart from what else the address of a page says. */
const PREFIX = 'log-';

/** The logs of services and agents, searched where they are, counted over time and followed as they grow. */
export default function LogSearchView({ scope, name }: Props) {
  const { t } = useTranslation('logs');
  const [filter, narrow] = useUrlState(noFilter, PREFIX);
  const [range, setRange] = useUrlState(usualRange);
  const [isWanted, setWanted] = useState(false);
  const isFollowing = isWanted && isLive(range);
  const query = useLogSearch(scope, filter, range);
  const followed = useFollowed(scope, filter, query.data?.entries, isFollowing);
  const zoom = useCallback((from: number, to: number) => setRange({ range: 'own', from, to }), [setRange]);
  const found = query.data;
  return (
    <div className="logs">
      <LogFilters filter={filter} onChange={narrow} />
      <div className="log-tools">
        <RangePicker range={range} onChange={setRange} />
        <Suspense fallback={null}>
          <LogSourceChoice scope={scope} filter={filter} onChange={narrow} />
        </Suspense>
        <span className="log-tools-end">
          <Button
            type="text"
            icon={<ReloadOutlined />}
            loading={query.isFetching}
            onClick={() => query.refetch()}
          >
            {t('again')}
          </Button>
          <Download scope={scope} name={name} filter={filter} range={range} />
          <span aria-hidden>{t('follow')}</span>
          <Switch
            aria-label={t('follow')}
            checked={isFollowing}
            disabled={!isLive(range)}
            onChange={setWanted}
          />
        </span>
      </div>
      {query.error && <ErrorState error={query.error} onRetry={query.refetch} />}
      {!found && !query.error && <LoadingState rows={10} />}
      {found && !query.error && (
        <Found
          found={found}
          entries={(isFollowing && followed.data) || found.entries}
          isFollowing={isFollowing}
          onZoom={zoom}
        />
      )}
    </div>
  );
}

interface FoundProps {
  found: LogFound;
  entries: readonly LogEntryRecord[];
  isFollowing: boolean;
  onZoom: (from: number, to: number) => void;
}

function Found({ found, entries, isFollowing, onZoom }: FoundProps) {
  const { t } = useTranslation('logs');
  const [opened, open] = useState<LogEntryRecord>();
  return (
    <>
      <Limits found={found} />
      <Suspense fallback={<LoadingState rows={4} />}>
        <CountsChart found={found} onChoose={onZoom} />
      </Suspense>
      <p role="status" className="log-found">
        {t(found.more ? 'newestShown' : 'allShown', { count: entries.length, shown: count(entries.length) })}
      </p>
      {entries.length === 0 ? (
        <EmptyState title={t('empty')} hint={t('emptyHint')} />
      ) : (
        <EntryList
          label={t('title')}
          entries={entries}
          height={Math.max(240, window.innerHeight - 520)}
          isFollowing={isFollowing}
          withSource
          onOpen={open}
        />
      )}
      <Suspense fallback={null}>
        {opened && <AroundDrawer entry={opened} onClose={() => open(undefined)} />}
      </Suspense>
    </>
  );
}

/** What was not searched, and why. */
function Limits({ found }: { found: LogFound }) {
  const { t } = useTranslation('logs');
  return (
    <>
      {found.unreadUntil && (
        <Alert
          type="warning"
          showIcon
          title={t('unread', { time: time(found.unreadUntil) })}
          description={t('unreadRemedy')}
        />
      )}
      {found.silent.map(({ host, containerName, reason }) => (
        <Alert
          key={`${containerName} ${host}`}
          type="warning"
          showIcon
          title={t('silent', { host, container: containerName })}
          description={reason}
        />
      ))}
    </>
  );
}

type DownloadProps = Props & {
  filter: Parameters<typeof allEntries>[1];
  range: Parameters<typeof allEntries>[2];
};

/** What matches as a file, as it was written. */
function Download({ scope, name, filter, range }: DownloadProps) {
  const { t } = useTranslation('logs');
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { entries, more } = await allEntries(scope, filter, range);
      saveText(`${name}.log`, entries.map(({ text }) => text).join('\n'), 'text/plain');
      if (more) notify('warning', t('downloadCut', { count: MOST_ENTRIES }));
    } catch (error) {
      if (error instanceof ApiError) notifyFailure(error);
      else throw error;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button type="text" icon={<DownloadOutlined />} loading={isBusy} onClick={save}>
      {t('download')}
    </Button>
  );
}
