import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import './colours.css';

/** What a viewer may choose; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';
export type ShownTheme = Exclude<Theme, 'system'>;

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
export const themeChanges = new EventTarget();

/** What was chosen last in this browser, so that also the sign-in page has it. */
export function chosenTheme(): Theme {
  const kept = local.get<Theme>(storeKeys.theme);
  return kept ?? 'system';
}

export function shownTheme(): ShownTheme {
  const theme = chosenTheme();
  if (theme !== 'system') return theme;
  return prefersDark.matches ? 'dark' : 'light';
}

/** Gives the document the colours of the theme that is shown. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = shownTheme();
  themeChanges.dispatchEvent(new Event('change'));
}

prefersDark.addEventListener('change', applyTheme);
