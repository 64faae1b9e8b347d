/** How a state looks: the colour says how it stands, `label` is its key in the `state` messages. */
export type Look = 'good' | 'busy' | 'quiet' | 'warning' | 'bad';

/**
 * Every state of the specification's chapter 4 that the console shows, and those that are held up (see `shownState`). Spelling: English,
 * lower case, joined by `-`.
 */
export const lookOfState = {
  // Subscribed tables and links
  uninitialized: 'quiet',
  'full-allowed': 'busy',
  'full-running': 'good',
  'full-finished': 'quiet',
  'incremental-allowed': 'busy',
  'incremental-running': 'good',
  suspended: 'warning',
  error: 'bad',
  'full-error': 'bad',
  'full-info-expired': 'bad',
  'table-locked': 'bad',
  'incremental-error': 'bad',
  // Published tables
  'allowed-to-publish': 'busy',
  publishing: 'good',
  'incremental-release': 'good',
  'publish-failed': 'bad',
  'no-primary-key': 'bad',
  'full-topic-expired': 'bad',
  'publish-stopped': 'quiet',
  // Services and processes
  running: 'good',
  'normal-stop': 'quiet',
  'abnormal-stop': 'bad',
  stopped: 'quiet',
  starting: 'busy',
  'starting-held-up': 'warning',
  started: 'good',
  'held-up': 'warning',
  stopping: 'busy',
  restarting: 'busy',
  abnormal: 'bad',
  'software-expired': 'bad',
  normal: 'good',
  'not-running': 'quiet',
  'not-enabled': 'quiet',
  // Changes that a target refused
  'not-processed': 'bad',
  processing: 'busy',
  processed: 'quiet',
  'auto-recovery': 'busy',
  success: 'good',
  // Comparisons and repairs
  'allowed-to-compare': 'busy',
  comparing: 'busy',
  'source-export-done': 'busy',
  'target-comparing': 'busy',
  'comparison-done': 'good',
  'no-comparison-needed': 'quiet',
  'comparison-error': 'bad',
  'cannot-repair': 'quiet',
  allowed: 'warning',
  repairing: 'busy',
  'repair-done': 'good',
  'repair-error': 'bad',
  // Containers and their hosts
  'not-started': 'quiet',
  connected: 'good',
  disconnected: 'bad',
  // Heartbeats
  beating: 'good',
  standing: 'bad',
  unmeasured: 'quiet',
} as const satisfies Record<string, Look>;

export type StateName = keyof typeof lookOfState;

export function isKnownState(state: string): state is StateName {
  return Object.hasOwn(lookOfState, state);
}

const heldUp: Record<string, StateName> = {
  starting: 'starting-held-up',
  started: 'held-up',
  normal: 'held-up',
};

/** What the server says is held up (`heldUp`) has looks of its own: it must not look healthy. */
export function shownState(state: string, isHeldUp: boolean | undefined): string {
  return (isHeldUp && heldUp[state]) || state;
}

export function lookOf(state: string): Look {
  return isKnownState(state) ? lookOfState[state] : 'quiet';
}

/** Whether row errors or failed tables beneath change how a state looks: what has failed looks worse already. */
export function isMarred(state: string, faults: number): boolean {
  return faults > 0 && lookOf(state) !== 'bad';
}
