import type { Location } from 'react-router';
import type { PageTag } from '@/shared/pages/page-context';
import { isUnsaved } from '@/shared/pages/unsaved';

/**
 * One open page. Keyed by the full path that it was opened with. A page that changes its own address (a filter, the
 * next page of its list) stays the same tab.
 */
export interface Tab {
  key: string;
  /** Where it is now. */
  pathname: string;
  search: string;
  affix: boolean;
  /** The name of what the page shows, when it says so. */
  title?: string;
  /** The state of what the page shows, when it says so. */
  tag?: PageTag;
}

/** How an address came about: a link, a page that changed it, or the browser's history. */
export type Action = 'PUSH' | 'REPLACE' | 'POP';

/** More open pages than this make the browser slow: the oldest is closed that nothing is filled in on. */
export const MAX_TABS = 16;

type Place = Pick<Location, 'pathname' | 'search'>;

/**
 * The tab of a place: the one that is just there, before all others the one in `front`. What a page changes in its own
 * address is its tab's; back and forward stay with the tabs of a path, whose addresses have gone on since; home has one.
 */
export function tabAt(
  tabs: readonly Tab[],
  { pathname, search }: Place,
  action: Action,
  front?: string,
): Tab | undefined {
  const ofPath = tabs.filter((tab) => tab.pathname === pathname);
  const current = ofPath.find(({ key }) => key === front);
  if (current?.search === search || (current && action === 'REPLACE')) return current;
  const exact = ofPath.find((tab) => tab.search === search);
  return exact ?? (action === 'POP' ? (current ?? ofPath[0]) : ofPath.find(({ affix }) => affix));
}

/** Opens the tab of a place, or follows the address of the one that it is; with the key of that tab. */
export function openTab(
  tabs: readonly Tab[],
  place: Place,
  affix: boolean,
  action: Action = 'PUSH',
  front?: string,
): { tabs: Tab[]; key: string } {
  const known = tabAt(tabs, place, action, front);
  if (known) {
    const followed = tabs.map((tab) => (tab === known ? { ...tab, search: place.search } : tab));
    return { tabs: known.search === place.search ? [...tabs] : followed, key: known.key };
  }
  const key = unusedKey(tabs, address(place));
  const opened = { key, pathname: place.pathname, search: place.search, affix };
  return { tabs: capped([...tabs, opened]), key };
}

/** A tab that was opened with this address may have gone on to another. */
function unusedKey(tabs: readonly Tab[], path: string): string {
  const isUsed = (key: string) => tabs.some((tab) => tab.key === key);
  let key = path;
  for (let number = 2; isUsed(key); number += 1) key = `${path}#${number}`;
  return key;
}

function capped(tabs: Tab[]): Tab[] {
  if (tabs.length <= MAX_TABS) return tabs;
  const oldest = tabs.find((tab) => !tab.affix && !isUnsaved(tab.key));
  return tabs.filter((tab) => tab !== oldest);
}

export function closeTab(tabs: readonly Tab[], key: string): Tab[] {
  return tabs.filter((tab) => tab.affix || tab.key !== key);
}

export function closeOthers(tabs: readonly Tab[], key: string): Tab[] {
  return tabs.filter((tab) => tab.affix || tab.key === key);
}

export function closeAll(tabs: readonly Tab[]): Tab[] {
  return tabs.filter((tab) => tab.affix);
}

/** The tab to go to when `key` is closed: its right neighbour, else its left one, else none (the caller goes home). */
export function neighbour(tabs: readonly Tab[], key: string): Tab | undefined {
  const index = tabs.findIndex((tab) => tab.key === key);
  return tabs[index + 1] ?? tabs[index - 1];
}

export function address(tab: Pick<Tab, 'pathname' | 'search'>): string {
  return tab.pathname + tab.search;
}
