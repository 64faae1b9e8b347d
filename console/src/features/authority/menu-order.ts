import type { MenuRecord } from '@/shared/api';

interface Place {
  parentKey: string | null;
  /** The entry behind it then; none: it is the last. */
  beforeKey: string | null;
}

function siblingsOf(tree: readonly MenuRecord[], parentKey: string | null): readonly MenuRecord[] {
  return parentKey === null ? tree : (tree.find(({ menuKey }) => menuKey === parentKey)?.children ?? []);
}

/** Where an entry stands after it went up (−1) or down (1) among its siblings; undefined at the end of them. */
export function placeAfterMove(
  tree: readonly MenuRecord[],
  { menuKey, parentKey }: Pick<MenuRecord, 'menuKey' | 'parentKey'>,
  by: -1 | 1,
): Place | undefined {
  const siblings = siblingsOf(tree, parentKey);
  const index = siblings.findIndex((sibling) => sibling.menuKey === menuKey);
  const other = siblings[index + by];
  if (index < 0 || !other) return undefined;
  const before = by < 0 ? other : siblings[index + 2];
  return { parentKey, beforeKey: before?.menuKey ?? null };
}
