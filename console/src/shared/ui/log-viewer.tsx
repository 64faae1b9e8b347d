import { DownloadOutlined, VerticalAlignBottomOutlined } from '@ant-design/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button, Input, Select, Space, Switch } from 'antd';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveText } from '@/shared/lib/save-file';
import { EmptyState } from './empty-state';
import { Tip } from './tip';
import './log-viewer.css';

export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogLine {
  id: string;
  text: string;
  level?: LogLevel;
}

interface Props {
  /** Names the log for screen readers, and the file that it is saved as. */
  name: string;
  /** The oldest first. */
  lines: readonly LogLine[];
  /** Pixels. */
  height?: number;
  /** Receives the viewer's filter, where the server has more lines. */
  onNarrow?: (wanted: string, level: LogLevel) => void;
}

const LINE_HEIGHT = 20;

/** The lines that hold `wanted`, whatever its case, and are of at least a level. */
export function matchingLines(lines: readonly LogLine[], wanted: string, level: LogLevel): LogLine[] {
  const text = wanted.trim().toLowerCase();
  const least = logLevels.indexOf(level);
  return lines.filter(
    (line) =>
      logLevels.indexOf(line.level ?? 'info') >= least && (!text || line.text.toLowerCase().includes(text)),
  );
}

function Marked({ text, wanted }: { text: string; wanted: string }): ReactNode {
  const part = wanted.trim().toLowerCase();
  const place = part ? text.toLowerCase().indexOf(part) : -1;
  if (place < 0) return text;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, place + part.length)}</mark>
      <Marked text={text.slice(place + part.length)} wanted={wanted} />
    </>
  );
}

/** A log of any length: searched, narrowed by level, followed at its end, saved as a file. */
export function LogViewer({ name, lines, height = 320, onNarrow }: Props) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const [level, setLevel] = useState<LogLevel>('debug');
  const [isFollowing, setFollowing] = useState(true);
  const shown = useMemo(() => matchingLines(lines, wanted, level), [lines, wanted, level]);
  const save = () => saveText(`${name}.log`, shown.map(({ text }) => text).join('\n'), 'text/plain');
  return (
    <div className="log-viewer">
      <div className="log-bar">
        <Input.Search
          className="log-search"
          aria-label={t('log.search')}
          placeholder={t('log.search')}
          allowClear
          onChange={({ target }) => {
            setWanted(target.value);
            onNarrow?.(target.value, level);
          }}
        />
        <Select<LogLevel>
          aria-label={t('log.level')}
          value={level}
          onChange={(least) => {
            setLevel(least);
            onNarrow?.(wanted, least);
          }}
          popupMatchSelectWidth={false}
          options={logLevels.map((value) => ({ value, label: t(`log.levels.${value}`) }))}
        />
        <span role="status">{t('log.lines', { count: shown.length })}</span>
        <Space className="log-bar-end">
          <span aria-hidden>
            <VerticalAlignBottomOutlined /> {t('log.follow')}
          </span>
          <Switch aria-label={t('log.follow')} checked={isFollowing} onChange={setFollowing} />
          <Tip title={t('log.save')}>
            <Button type="text" icon={<DownloadOutlined />} aria-label={t('log.save')} onClick={save} />
          </Tip>
        </Space>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={t(lines.length === 0 ? 'log.empty' : 'log.nothingFound')} />
      ) : (
        <Lines name={name} lines={shown} wanted={wanted} height={height} isFollowing={isFollowing} />
      )}
    </div>
  );
}

interface LinesProps extends Required<Omit<Props, 'onNarrow'>> {
  wanted: string;
  isFollowing: boolean;
}

function Lines({ name, lines, wanted, height, isFollowing }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
    initialRect: { width: 1000, height },
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowing, lines.length, virtualizer]);
  return (
    <div
      ref={scroller}
      className="log-lines"
      style={{ height }}
      role="log"
      aria-label={name}
      aria-live="off"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
      tabIndex={0}
    >
      <div style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          return (
            <div
              key={line.id}
              className="log-line"
              data-level={line.level ?? 'info'}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Marked text={line.text} wanted={wanted} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
