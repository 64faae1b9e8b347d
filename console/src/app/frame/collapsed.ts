import { useState, useSyncExternalStore } from 'react';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

/** The console is laid out for windows of 1280 pixels and more. */
const narrow = window.matchMedia('(max-width: 1279.98px)');

function onWidth(notify: () => void): () => void {
  narrow.addEventListener('change', notify);
  return () => narrow.removeEventListener('change', notify);
}

/**
 * Whether the menu is collapsed, and the way to choose it. The choice is remembered for wide windows; in a narrow one
 * the menu makes room by itself and is opened for the moment only.
 */
export function useCollapsed(): readonly [boolean, (collapsed: boolean) => void] {
  const isNarrow = useSyncExternalStore(onWidth, () => narrow.matches);
  const [inWide, setInWide] = useState(() => local.get<boolean>(storeKeys.menuCollapsed) ?? false);
  const [inNarrow, setInNarrow] = useState(true);
  const choose = (collapsed: boolean) => {
    if (isNarrow) return setInNarrow(collapsed);
    local.set(storeKeys.menuCollapsed, collapsed);
    setInWide(collapsed);
  };
  return [isNarrow ? inNarrow : inWide, choose] as const;
}
