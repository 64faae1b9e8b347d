/** Calls that pages repeat by themselves. */
const POLLING_PATHS: readonly string[] = [
  '/api/zcbus/sys/alarmmsg/countUnRead',
  '/api/zcbus/sys/authentication/slide/state',
];

const polls = new WeakSet<AbortSignal>();

/** The calls that carry this signal are one of many looks of a live page. */
export function markPolling(signal: AbortSignal): void {
  polls.add(signal);
}

export function isPolling(path: string, signal: AbortSignal | null | undefined): boolean {
  return POLLING_PATHS.includes(path) || (signal instanceof AbortSignal && polls.has(signal));
}
