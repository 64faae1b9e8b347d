import { useQuery } from '@tanstack/react-query';
import { call, type MenuNode, menuGrantedTree } from '@/shared/api';

export type Operation = MenuNode['operations'][number];

/** What the viewer is shown of the menu, with titles and what may be done behind each entry; asked once a visit. */
function useMenuTree() {
  return useQuery({
    queryKey: ['session', 'menu'],
    queryFn: ({ signal }) => call(menuGrantedTree({ signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function find(nodes: readonly MenuNode[], menuKey: string): MenuNode | undefined {
  for (const node of nodes) {
    const found = node.menuKey === menuKey ? node : find(node.children, menuKey);
    if (found) return found;
  }
  return undefined;
}

/** What the viewer may do behind a menu entry. The server decides again at every call; this only hides dead buttons. */
export function useMay(menuKey: string): (operation: Operation) => boolean {
  const tree = useMenuTree();
  const node = find(tree.data ?? [], menuKey);
  return (operation) => node?.operations.includes(operation) ?? false;
}
