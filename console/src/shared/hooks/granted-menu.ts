import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, type MenuNode, menuGrantedTree } from '@/shared/api';

export type Operation = MenuNode['operations'][number];

/** What the server grants the viewer, in its order, with titles and what may be done behind each entry; once a visit. */
export const grantedMenu = queryOptions({
  queryKey: ['session', 'menu'],
  queryFn: ({ signal }) => call(menuGrantedTree({ signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useGrantedMenu() {
  return useQuery(grantedMenu);
}

function find(nodes: readonly MenuNode[], menuKey: string): MenuNode | undefined {
  for (const node of nodes) {
    const found = node.menuKey === menuKey ? node : find(node.children, menuKey);
    if (found) return found;
  }
  return undefined;
}

/** Whether a menu grants an operation behind one of its entries. */
export function grants(menu: readonly MenuNode[], menuKey: string, operation: Operation): boolean {
  return find(menu, menuKey)?.operations.includes(operation) ?? false;
}
