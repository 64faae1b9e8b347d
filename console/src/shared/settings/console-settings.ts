import { useSyncExternalStore } from 'react';
import { storeKeys } from '@/shared/lib/store-keys';
import type { Theme } from '@/shared/theme/theme';
import { chooseTheme } from '@/shared/theme/use-theme';
import { ViewerStore } from './viewer-store';

/** How a viewer has the console, by the specification's names (chapter 3, settings state). */
export interface ConsoleSettings {
  theme: Theme;
  /** The open pages are shown as tabs. */
  tagsView: boolean;
  /** Head and tabs stay where pages are scrolled. */
  fixedHeader: boolean;
  /** Picture and name above the menu. */
  sidebarLogo: boolean;
  /** One submenu is open at a time. */
  uniqueOpened: boolean;
  /** The system's text and number below the pages. */
  showFooter: boolean;
}

export const usualSettings: Readonly<ConsoleSettings> = {
  theme: 'system',
  tagsView: true,
  fixedHeader: true,
  sidebarLogo: true,
  uniqueOpened: true,
  showFooter: false,
};

const NAME = 'frame';
const store = new ViewerStore<Partial<ConsoleSettings>>(storeKeys.consoleSettings, 'console.');
const changes = new EventTarget();

let shown: { text: string; settings: ConsoleSettings } | undefined;

/** The same object until something changes. */
function readSettings(): ConsoleSettings {
  const settings = { ...usualSettings, ...store.read(NAME) };
  const text = JSON.stringify(settings);
  if (shown?.text !== text) shown = { text, settings };
  return shown.settings;
}

function onChange(listener: () => void): () => void {
  const follow = () => {
    chooseTheme(readSettings().theme);
    listener();
  };
  const withdraw = store.onFetched(follow);
  changes.addEventListener('change', listener);
  return () => {
    withdraw();
    changes.removeEventListener('change', listener);
  };
}

/** Takes effect at once. */
export function changeSettings(changed: Partial<ConsoleSettings>): void {
  store.save(NAME, { ...readSettings(), ...changed });
  chooseTheme(readSettings().theme);
  changes.dispatchEvent(new Event('change'));
}

export function useConsoleSettings(): ConsoleSettings {
  return useSyncExternalStore(onChange, readSettings);
}
