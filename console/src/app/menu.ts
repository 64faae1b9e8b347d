import type { MenuNode } from '@/shared/api';
import type { Locale } from '@/shared/i18n/locale';

export interface MenuItem {
  key: string;
  title: string;
  children?: readonly MenuItem[];
}

/** Every entry of the server's menu, each before those beneath it. */
export function walk(nodes: readonly MenuNode[]): MenuNode[] {
  return nodes.flatMap((node) => [node, ...walk(node.children)]);
}

/** The title of an entry in one language; administrators may have chosen it. */
export function titleOf(node: MenuNode, locale: Locale): string {
  return locale === 'zh' ? node.titleZh : node.titleEn;
}

/**
 * What the server granted and this version has, in the server's order. A group's children are filtered the same way,
 * and a group without any is dropped.
 */
export function shownMenu(
  nodes: readonly MenuNode[],
  locale: Locale,
  isBuilt: (key: string) => boolean,
): MenuItem[] {
  return nodes.flatMap((node): MenuItem[] => {
    const item = { key: node.menuKey, title: titleOf(node, locale) };
    if (node.kind !== 'group') return isBuilt(node.menuKey) ? [item] : [];
    const children = shownMenu(node.children, locale, isBuilt);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}

/** The group that holds an entry. */
export function groupOf(nodes: readonly MenuNode[], key: string): MenuNode | undefined {
  return nodes.find((node) => node.children.some(({ menuKey }) => menuKey === key));
}
