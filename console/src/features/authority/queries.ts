import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import {
  call,
  type DepartmentRecord,
  departmentTree,
  menuTree,
  roleGet,
  roleListOptions,
  roleOfferPermissions,
  rolePage,
  sessionGetInformation,
  tenantPage,
  type UserListRecord,
  userGet,
  userPage,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

/** What is kept here is asked for again after it was changed: users show departments and roles, roles count users. */
export function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['authority'] });
}

/** After a change of the menu, or of the viewer's own role, the frame shows it at once. */
export function useRefreshMenu(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['session'] });
}

export interface UserFilter {
  search: string;
  deptId: string;
  roleCode: string;
  status: string;
  customerId: string;
}

function askedUsers(request: TableRequest, filter: UserFilter) {
  return {
    ...request,
    search: filter.search || null,
    deptId: filter.deptId || null,
    roleCode: filter.roleCode || null,
    status: (filter.status || null) as UserListRecord['status'] | null,
    customerId: filter.customerId || null,
  };
}

export function useUsers(request: TableRequest, filter: UserFilter) {
  const body = askedUsers(request, filter);
  return useRead({
    queryKey: ['authority', 'user', 'page', body],
    queryFn: ({ signal }) => call(userPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every user that the filter leaves, sorted as the list is. */
export async function allUsers(request: TableRequest, filter: UserFilter) {
  return (await call(userPage({ body: { ...askedUsers(request, filter), current: 1, size: -1 } }))).records;
}

export function useUser(userId: string | undefined) {
  return useRead({
    queryKey: ['authority', 'user', 'get', userId],
    queryFn: ({ signal }) => call(userGet({ body: { userId: userId ?? '' }, signal })),
    enabled: userId !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Roles that the viewer may give to users of a tenant; without one, of the own. */
export function useRoleOptions(customerId?: string) {
  return useRead({
    queryKey: ['authority', 'role', 'options', customerId],
    queryFn: ({ signal }) => call(roleListOptions({ body: { customerId: customerId || null }, signal })),
  });
}

export function useDepartments(customerId?: string, enabled = true) {
  return useRead({
    queryKey: ['authority', 'department', customerId],
    queryFn: ({ signal }) => call(departmentTree({ body: { customerId: customerId || null }, signal })),
    enabled,
  });
}

/** The tenants whose data the viewer may see. */
export function useTenants() {
  return useRead({
    queryKey: ['authority', 'tenant', 'own'],
    queryFn: async ({ signal }) => (await call(sessionGetInformation({ signal }))).customerList,
  });
}

export function useRoles(request: TableRequest, search: string) {
  const body = { ...request, search: search || null };
  return useRead({
    queryKey: ['authority', 'role', 'page', body],
    queryFn: ({ signal }) => call(rolePage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export async function allRoles(request: TableRequest, search: string) {
  return (await call(rolePage({ body: { ...request, search: search || null, current: 1, size: -1 } })))
    .records;
}

export function useRole(id: string | undefined) {
  return useRead({
    queryKey: ['authority', 'role', 'get', id],
    queryFn: ({ signal }) => call(roleGet({ body: { id: id ?? '' }, signal })),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

export function usePermissionOffer() {
  return useRead({
    queryKey: ['authority', 'role', 'offer'],
    queryFn: ({ signal }) => call(roleOfferPermissions({ body: {}, signal })),
  });
}

export const menuQueryKey = ['authority', 'menu'];

export function useMenu() {
  return useRead({
    queryKey: menuQueryKey,
    queryFn: ({ signal }) => call(menuTree({ body: {}, signal })),
  });
}

export interface TenantFilter {
  search: string;
  status: string;
}

function askedTenants(request: TableRequest, { search, status }: TenantFilter) {
  return { ...request, search: search || null, status: (status || null) as '0' | '1' | null };
}

export function useTenantPage(request: TableRequest, filter: TenantFilter) {
  const body = askedTenants(request, filter);
  return useRead({
    queryKey: ['authority', 'tenant', 'page', body],
    queryFn: ({ signal }) => call(tenantPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export async function allTenants(request: TableRequest, filter: TenantFilter) {
  return (await call(tenantPage({ body: { ...askedTenants(request, filter), current: 1, size: -1 } })))
    .records;
}

/** A tree in reading order, each row with how deep it stands. */
export function flat<Node extends { children: Node[] }>(
  nodes: readonly Node[],
  depth = 0,
): (Node & { depth: number })[] {
  return nodes.flatMap((node) => [{ ...node, depth }, ...flat(node.children, depth + 1)]);
}

export interface TreeOption {
  value: string;
  title: string;
  disabled?: boolean;
  children: TreeOption[];
}

/** Departments as a choice; `without` and all beneath it cannot be chosen. */
export function departmentOptions(
  departments: readonly DepartmentRecord[],
  without?: string,
  isBeneath = false,
): TreeOption[] {
  return departments.map(({ id, name, children }) => {
    const isOut = isBeneath || id === without;
    return {
      value: id,
      title: name,
      disabled: isOut,
      children: departmentOptions(children, without, isOut),
    };
  });
}
