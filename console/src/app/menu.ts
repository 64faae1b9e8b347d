import type { MenuKey } from '@/shared/pages/definition';

export interface MenuItem {
  key: MenuKey;
  children?: readonly MenuItem[];
}

/** What the console can show today, in the specification's order. */
export const menuCatalogue: readonly MenuItem[] = [
  { key: 'home' },
  { key: 'sync-link' },
  { key: 'sync-task' },
];

/**
 * The part of the catalogue that the server granted, ordered as the server ordered it. A parent stands where its own
 * key stands, its children are filtered and ordered the same way, and a parent without children left is dropped.
 */
export function grantedMenu(catalogue: readonly MenuItem[], granted: readonly string[]): MenuItem[] {
  return granted.flatMap((key) => {
    const item = catalogue.find((candidate) => candidate.key === key);
    if (!item) return [];
    if (!item.children) return [item];
    const children = grantedMenu(item.children, granted);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}

/** The entry that holds `key` as a child. */
export function parentOf(catalogue: readonly MenuItem[], key: MenuKey): MenuKey | undefined {
  return catalogue.find((item) => item.children?.some((child) => child.key === key))?.key;
}
