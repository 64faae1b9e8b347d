import { call, userSettingListOwn, userSettingSave } from '@/shared/api';
import { currentToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { Side } from './types';

/** What a viewer changed about a table; whatever is not named here is as the page has it. */
export interface ViewerLayout {
  /** Keys from left to right. */
  order?: string[];
  visible?: Record<string, boolean>;
  /** Pixels. */
  widths?: Record<string, number>;
  fixed?: Record<string, Side | 'none'>;
  /** What the list was narrowed to when the viewer last left it. */
  filters?: Record<string, string>;
}

/** One viewer's tables by name. `unsent`: those not saved on the platform yet. */
interface Kept {
  layouts: Record<string, ViewerLayout>;
  unsent: string[];
}

const PREFIX = 'table.';
const SEND_PAUSE = 800;

const changes = new EventTarget();
let fetching: { viewer: string; done: Promise<void> } | undefined;
let sending: ReturnType<typeof setTimeout> | undefined;

function viewer(): string {
  return local.get<{ userId?: string }>(storeKeys.user)?.userId ?? '';
}

function kept(): Kept {
  const all = local.get<Record<string, Kept>>(storeKeys.tableLayouts);
  return all?.[viewer()] ?? { layouts: {}, unsent: [] };
}

function keep(next: Kept): void {
  const all = local.get<Record<string, Kept>>(storeKeys.tableLayouts);
  local.set(storeKeys.tableLayouts, { ...all, [viewer()]: next });
}

/** A table as this viewer left it, as far as this browser knows. */
export function readLayout(table: string): ViewerLayout {
  return kept().layouts[table] ?? {};
}

/** Remembers a table in this browser at once and on the platform soon; where that can't be reached, on a later visit. */
export function saveLayout(table: string, layout: ViewerLayout): void {
  const { layouts, unsent } = kept();
  keep({ layouts: { ...layouts, [table]: layout }, unsent: [...new Set([...unsent, table])] });
  clearTimeout(sending);
  sending = setTimeout(sendLayouts, SEND_PAUSE);
}

function isSame(one: ViewerLayout | undefined, other: ViewerLayout | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function sendLayouts(): Promise<void> {
  if (currentToken() === undefined) return;
  for (const table of kept().unsent) {
    const value = readLayout(table);
    try {
      await call(userSettingSave({ body: { name: PREFIX + table, value: { ...value } } }));
    } catch {
      return;
    }
    const { layouts, unsent } = kept();
    // What was changed meanwhile is sent by the timer of that change.
    if (isSame(layouts[table], value)) {
      keep({ layouts, unsent: unsent.filter((other) => other !== table) });
    }
  }
}

async function fetchFrom(): Promise<void> {
  const asked = viewer();
  const before = kept().layouts;
  const settings = await call(userSettingListOwn({ body: { prefix: PREFIX } }));
  if (viewer() !== asked) return;
  const { layouts, unsent } = kept();
  // What changed since the question may have been sent since, and the answer may be older than that.
  const changed = Object.keys(layouts).filter((table) => !isSame(layouts[table], before[table]));
  const own = Object.fromEntries([...unsent, ...changed].map((table) => [table, layouts[table] ?? {}]));
  const theirs = settings.map(
    ({ name, value }) => [name.slice(PREFIX.length), value as ViewerLayout] as const,
  );
  keep({ layouts: { ...Object.fromEntries(theirs), ...own }, unsent });
  changes.dispatchEvent(new Event('fetched'));
  await sendLayouts();
}

/**
 * Asks the platform, once a visit, what this viewer arranged in other browsers. It counts more than what this browser
 * kept, except for unsaved changes. Without an answer this browser's own layout stays in use.
 */
function fetchLayouts(): Promise<void> {
  if (currentToken() === undefined) return Promise.resolve();
  const current = viewer();
  if (fetching?.viewer !== current) fetching = { viewer: current, done: fetchFrom().catch(() => undefined) };
  return fetching.done;
}

/** Calls back when the platform's layouts have come; not when they had come before. Answers how to withdraw that. */
export function onLayoutsFetched(tell: () => void): () => void {
  changes.addEventListener('fetched', tell);
  fetchLayouts();
  return () => changes.removeEventListener('fetched', tell);
}
