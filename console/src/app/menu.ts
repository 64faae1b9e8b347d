import { type MenuKey, menuKeys } from '@/shared/pages/menu-keys';

export interface MenuItem {
  key: MenuKey;
  children?: readonly MenuItem[];
}

/** The entry that holds a page or entry as a child: `system` for `system/register`. */
export function parentOf(key: string): MenuKey | undefined {
  const [parent] = key.split('/');
  return parent === key ? undefined : (parent as MenuKey);
}

function isMenuKey(key: string): key is MenuKey {
  return (menuKeys as readonly string[]).includes(key);
}

/**
 * What the server granted and this version has, ordered as the server ordered it. A group stands where it or its first
 * child stands in that order, its children are filtered and ordered the same way, and a group without any is dropped.
 */
export function grantedMenu(granted: readonly string[], isBuilt: (key: MenuKey) => boolean): MenuItem[] {
  const keys = granted.filter(isMenuKey);
  const topmost = [...new Set(keys.map((key) => parentOf(key) ?? key))];
  return topmost.flatMap((key) => {
    const children = keys.filter((child) => parentOf(child) === key && isBuilt(child));
    if (children.length > 0) return [{ key, children: children.map((child) => ({ key: child })) }];
    return isBuilt(key) ? [{ key }] : [];
  });
}
