import type { LogEntryRecord } from '@/shared/api';

/** Distinguishes entries. One log may have the same line twice in a moment; which of them is shown makes no difference. */
export function entryKey({ source, hostId, atUs, text }: LogEntryRecord): string {
  return `${source} ${hostId} ${atUs} ${text}`;
}

/** When the newest entry was written, in milliseconds since 1970; 0: there is none. */
export function newestOf(entries: readonly LogEntryRecord[]): number {
  return (entries.at(-1)?.atUs ?? 0) / 1000;
}

/** Known entries and those of a later look, each once, in the order of time; the newest `most`. */
export function merged(
  known: readonly LogEntryRecord[],
  found: readonly LogEntryRecord[],
  most: number,
): LogEntryRecord[] {
  const keys = new Set(known.map(entryKey));
  const added = found.filter((entry) => !keys.has(entryKey(entry)));
  if (added.length === 0) return [...known];
  return [...known, ...added].sort((one, other) => one.atUs - other.atUs).slice(-most);
}
