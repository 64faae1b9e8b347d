import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogEntryRecord } from '@/shared/api';
import { readable } from '../machine/log-line';
import { entryKey } from './tail';

interface Props {
  label: string;
  /** The oldest first. */
  entries: readonly LogEntryRecord[];
  /** Pixels. */
  height: number;
  /** Keeps the newest entry in sight. */
  isFollowing?: boolean;
  /** The one that the others are shown around. */
  marked?: LogEntryRecord;
  /** Names the log of each entry: the list shows several. */
  withSource?: boolean;
  onOpen?: (entry: LogEntryRecord) => void;
}

const LINE_HEIGHT = 22;

/** Entries of logs, a line each: the rest of a longer one is seen when it is opened. */
export function EntryList({ label, entries, height, isFollowing, marked, withSource, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
    initialRect: { width: 1000, height },
  });
  const markedKey = marked && entryKey(marked);
  useEffect(() => {
    if (entries.length === 0) return;
    const at = markedKey ? entries.findIndex((entry) => entryKey(entry) === markedKey) : -1;
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'center' });
    else if (isFollowing) virtualizer.scrollToIndex(entries.length - 1, { align: 'end' });
  }, [isFollowing, entries, markedKey, virtualizer]);
  return (
    <div
      ref={scroller}
      className="log-entries"
      style={{ height }}
      role="log"
      aria-label={label}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
      tabIndex={0}
    >
      <div style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          const key = entryKey(entry);
          return (
            <div
              key={`${key} ${index}`}
              className="log-entry-place"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line entry={entry} isMarked={key === markedKey} withSource={withSource} onOpen={onOpen} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface LineProps {
  entry: LogEntryRecord;
  isMarked: boolean;
  withSource: boolean | undefined;
  onOpen: ((entry: LogEntryRecord) => void) | undefined;
}

function Line({ entry, isMarked, withSource, onOpen }: LineProps) {
  const { t } = useTranslation('logs');
  // A stack trace lies in one line of the log, and is several where it is read.
  const [first = '', ...rest] = entry.text.split('\n').flatMap((line) => readable(line, '').text.split('\n'));
  const level = entry.level ?? undefined;
  const shown = (
    <>
      {withSource && <span className="log-entry-source">{entry.sourceName}</span>}
      {first}
      {rest.length > 0 && <span className="log-entry-more">{t('furtherLines', { count: rest.length })}</span>}
    </>
  );
  const look = { className: 'log-entry', 'data-level': level ?? 'info', 'data-marked': isMarked };
  if (!onOpen) return <div {...look}>{shown}</div>;
  return (
    <button type="button" {...look} onClick={() => onOpen(entry)}>
      {shown}
    </button>
  );
}
