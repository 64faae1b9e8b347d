/** The states that a link, and the task on it, can be in. */
export const linkStates = [
  'starting',
  'full-running',
  'incremental-running',
  'full-finished',
  'suspended',
  'stopping',
  'stopped',
  'error',
] as const;
