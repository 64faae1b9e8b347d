import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogEntryRecord } from '@/shared/api';
import { saveText } from '@/shared/lib/save-file';
import { usePageActive } from '@/shared/pages/page-context';
import { CopyButton } from '@/shared/ui/copy-button';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { readable } from '../machine/log-line';
import { EntryList } from './entry-list';
import { useAround } from './queries';

interface Props {
  entry: LogEntryRecord;
  onClose: () => void;
}

const LINES = 50;
const MOST_LINES = 500;

/** All of one entry, and what its log says before and behind it. */
export default function AroundDrawer({ entry, onClose }: Props) {
  const { t } = useTranslation('logs');
  const isActive = usePageActive();
  const [lines, setLines] = useState(LINES);
  const { data, error, refetch } = useAround(entry, lines);
  const [first = '', ...rest] = entry.text.split('\n');
  const whole = [readable(first, '').text, ...rest].join('\n');
  const hasMore = data && (data.older || data.newer) && lines < MOST_LINES;
  const save = () =>
    saveText(
      `${entry.sourceName}.log`,
      (data?.entries ?? []).map(({ text }) => text).join('\n'),
      'text/plain',
    );
  return (
    <Drawer
      open={isActive}
      title={t('around.title', { name: entry.sourceName })}
      size="70%"
      onClose={onClose}
      extra={data && <Button onClick={save}>{t('download')}</Button>}
    >
      <p className="log-entry-where">
        {t('around.where', { host: entry.host, container: entry.containerName })}{' '}
        <CopyButton text={entry.text} label={t('around.copy')} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
      <pre className="log-entry-whole" tabIndex={0}>
        {whole}
      </pre>
      <h2>{t('around.lines')}</h2>
      {!data && !error && <LoadingState rows={8} />}
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      {data && (
        <EntryList
          label={t('around.lines')}
          entries={data.entries}
          marked={entry}
          height={Math.max(240, window.innerHeight - 380)}
        />
      )}
      {hasMore && (
        <Button className="log-entry-further" onClick={() => setLines(Math.min(lines * 4, MOST_LINES))}>
          {t('around.more')}
        </Button>
      )}
    </Drawer>
  );
}
