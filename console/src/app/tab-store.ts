import { useCallback } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { create } from 'zustand';
import { sessionEvents } from '@/shared/api/session';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { PageTag } from '@/shared/pages/page-context';
import { useHistory } from '@/shared/pages/router';
import { type Action, closeAll, closeOthers, closeTab, openTab, type Tab, tabAt } from './tabs';

interface TabStore {
  tabs: Tab[];
  /** The key of the tab that was opened or shown last. */
  front?: string;
  open: (place: { pathname: string; search: string }, affix: boolean, action?: Action) => void;
  close: (key: string) => void;
  closeOthers: (key: string) => void;
  closeAll: () => void;
  rename: (key: string, title: string | undefined) => void;
  mark: (key: string, tag: PageTag | undefined) => void;
}

function remember(tabs: Tab[]): { tabs: Tab[] } {
  session.set(storeKeys.tabs, tabs);
  return { tabs };
}

/** Open pages survive a reload (switching the language reloads), but not a sign-out. */
export const useTabStore = create<TabStore>((set) => ({
  tabs: session.get<Tab[]>(storeKeys.tabs) ?? [],
  open: (place, affix, action) =>
    set(({ tabs, front }) => {
      const opened = openTab(tabs, place, affix, action, front);
      return { ...remember(opened.tabs), front: opened.key };
    }),
  close: (key) => set(({ tabs }) => remember(closeTab(tabs, key))),
  closeOthers: (key) => set(({ tabs }) => remember(closeOthers(tabs, key))),
  closeAll: () => set(({ tabs }) => remember(closeAll(tabs))),
  rename: (key, title) =>
    set(({ tabs }) => remember(tabs.map((tab) => (tab.key === key ? { ...tab, title } : tab)))),
  mark: (key, tag) =>
    set(({ tabs }) => remember(tabs.map((tab) => (tab.key === key ? { ...tab, tag } : tab)))),
}));

// Here rather than in root.tsx, so that signing in does not load what tabs need.
sessionEvents.addEventListener('ended', () => useTabStore.setState({ tabs: [], front: undefined }));

/** The tab of the page that is drawn in front. */
export function useFrontTab(): Tab | undefined {
  const { tabs, front } = useTabStore();
  return tabAt(tabs, useLocation(), useNavigationType(), front);
}

/** Reports the key of the tab that the viewer is at, though the page before may still be drawn. */
export function useFrontKey(): () => string | undefined {
  const history = useHistory();
  return useCallback(() => {
    const { tabs, front } = useTabStore.getState();
    const place = { pathname: history.path, search: history.location.search };
    return tabAt(tabs, place, history.action, front)?.key;
  }, [history]);
}
