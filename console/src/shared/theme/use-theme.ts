import { useSyncExternalStore } from 'react';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { applyTheme, chosenTheme, type ShownTheme, shownTheme, type Theme, themeChanges } from './theme';

export const themes = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

/** Shows a theme from now on. */
export function chooseTheme(theme: Theme): void {
  if (theme === chosenTheme()) return;
  local.set(storeKeys.theme, theme);
  applyTheme();
}

function onChange(notify: () => void): () => void {
  themeChanges.addEventListener('change', notify);
  return () => themeChanges.removeEventListener('change', notify);
}

/** The theme that is shown; draws again when it changes. */
export function useShownTheme(): ShownTheme {
  return useSyncExternalStore(onChange, shownTheme);
}

/**
 * The colour that a variable (`var(--…)`) stands for in the theme that is shown, for what is drawn without style sheets; any
 * other text as it is.
 */
export function resolved(colour: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1];
  const value = name && getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return value || colour;
}
