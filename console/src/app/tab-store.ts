import { create } from 'zustand';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { closeAll, closeOthers, closeTab, openTab, type Tab } from './tabs';

interface TabStore {
  tabs: Tab[];
  open: (place: { pathname: string; search: string }, affix: boolean) => void;
  close: (key: string) => void;
  closeOthers: (key: string) => void;
  closeAll: () => void;
  rename: (key: string, title: string | undefined) => void;
}

function remember(tabs: Tab[]): { tabs: Tab[] } {
  session.set(storeKeys.tabs, tabs);
  return { tabs };
}

/** Open pages survive a reload (switching the language reloads), but not a sign-out. */
export const useTabStore = create<TabStore>((set) => ({
  tabs: session.get<Tab[]>(storeKeys.tabs) ?? [],
  open: (place, affix) => set(({ tabs }) => remember(openTab(tabs, place, affix))),
  close: (key) => set(({ tabs }) => remember(closeTab(tabs, key))),
  closeOthers: (key) => set(({ tabs }) => remember(closeOthers(tabs, key))),
  closeAll: () => set(({ tabs }) => remember(closeAll(tabs))),
  rename: (key, title) =>
    set(({ tabs }) => remember(tabs.map((tab) => (tab.key === key ? { ...tab, title } : tab)))),
}));
