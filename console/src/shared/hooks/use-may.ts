import { grants, type Operation, useGrantedMenu } from './granted-menu';

/** What the viewer may do behind a menu entry. The server decides again at every call; this only hides dead buttons. */
export function useMay(menuKey: string): (operation: Operation) => boolean {
  const { data } = useGrantedMenu();
  return (operation) => grants(data ?? [], menuKey, operation);
}
