import { time } from '@/shared/lib/figures';
import { type LogLevel, type LogLine, logLevels } from '@/shared/ui/log-viewer';

const ownFields = new Set(['timestamp', 'level', 'event', 'component']);

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // What a process says as it dies is no JSON.
    return undefined;
  }
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A line of a log as people read it: when, how grave, what, and the facts. */
export function readable(line: string, id: string): LogLine {
  const said = parsed(line);
  if (!said) return { id, text: line };
  const level = logLevels.find((one) => one === said.level);
  const facts = Object.entries(said).filter(([name]) => !ownFields.has(name));
  const text = [
    typeof said.timestamp === 'string' ? time(said.timestamp) : '',
    plain(said.level ?? ''),
    plain(said.event ?? ''),
    ...facts.map(([name, value]) => `${name}=${plain(value)}`),
  ].join(' ');
  return { id, text, ...(level ? { level: level as LogLevel } : {}) };
}
