import type { Location } from 'react-router';
import { isUnsaved } from '@/shared/pages/unsaved';

/** One open page. Keyed by its path; the search part may change while it stays the same tab. */
export interface Tab {
  key: string;
  pathname: string;
  search: string;
  affix: boolean;
  /** The name of what the page shows, when it says so. */
  title?: string;
}

/** More open pages than this make the browser slow: the oldest is closed that nothing is filled in on. */
export const MAX_TABS = 16;

type Place = Pick<Location, 'pathname' | 'search'>;

/** Opens the tab of a place, or follows its search part when it is open already. */
export function openTab(tabs: readonly Tab[], place: Place, affix: boolean): Tab[] {
  const known = tabs.find((tab) => tab.key === place.pathname);
  if (known) {
    if (known.search === place.search) return [...tabs];
    return tabs.map((tab) => (tab === known ? { ...tab, search: place.search } : tab));
  }
  const opened = { key: place.pathname, pathname: place.pathname, search: place.search, affix };
  return capped([...tabs, opened]);
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
