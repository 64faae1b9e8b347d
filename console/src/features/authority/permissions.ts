import type { OfferedEntry, Permission } from '@/shared/api';

export type Operation = OfferedEntry['operations'][number];

export const operations: readonly Operation[] = ['view', 'create', 'edit', 'delete', 'operate'];

export const ANY = '*';

function pick(permissions: readonly Permission[], menuKey: string): readonly string[] {
  return permissions.find((permission) => permission.menuKey === menuKey)?.operations ?? [];
}

/** Whether a role has exactly this box ticked. */
export function isTicked(permissions: readonly Permission[], menuKey: string, operation: string): boolean {
  const ticked = pick(permissions, menuKey);
  return ticked.includes(operation) || (menuKey !== ANY && ticked.includes(ANY));
}

/** Whether a box is ticked because a wider one is. */
export function isImplied(
  permissions: readonly Permission[],
  entry: OfferedEntry,
  operation: string,
): boolean {
  const everywhere = pick(permissions, ANY);
  return everywhere.includes(ANY) || (!entry.administrative && everywhere.includes(operation));
}

/** The permissions with one box changed. Any operation implies the right to view; without it there is none. */
export function tick(
  permissions: readonly Permission[],
  menuKey: string,
  operation: Operation | typeof ANY,
  isOn: boolean,
): Permission[] {
  const before = pick(permissions, menuKey).filter(
    (other) => other !== operation,
  ) as Permission['operations'];
  const wanted: Permission['operations'] =
    operation === ANY
      ? isOn
        ? [ANY]
        : []
      : isOn
        ? [...new Set<Permission['operations'][number]>(['view', ...before, operation])]
        : operation === 'view'
          ? []
          : before;
  const others = permissions.filter((permission) => permission.menuKey !== menuKey);
  return wanted.length > 0 ? [...others, { menuKey, operations: wanted }] : others;
}
