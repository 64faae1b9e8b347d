import type { Permission } from '@/shared/api';
import { ANY } from './permissions';

export type ScopeKind = 'readOnly' | 'chosen' | 'all';

export const READ_ONLY: Permission[] = [{ menuKey: ANY, operations: ['view'] }];

/** What a scope amounts to; none is everything that the owner may do. */
export function scopeKind(permissions: readonly Permission[] | null | undefined): ScopeKind {
  if (!permissions) return 'all';
  const [first, ...others] = permissions;
  const isViewing = first?.menuKey === ANY && first.operations.every((operation) => operation === 'view');
  return isViewing && others.length === 0 ? 'readOnly' : 'chosen';
}

/** How many operations are allowed by name. */
export function countOperations(permissions: readonly Permission[]): number {
  return permissions.reduce((sum, { operations }) => sum + operations.length, 0);
}
