import { createContext, useContext, useEffect } from 'react';

export interface PageState {
  /** False while another page tab is in front: the page is kept, but must neither ask the server nor show overlays. */
  isActive: boolean;
  /** Replaces the page's title in its tab, the breadcrumbs and the window, e.g. by the name of what it shows. */
  setTitle: (title: string | undefined) => void;
}

export const PageContext = createContext<PageState>({ isActive: true, setTitle: () => {} });

/** Whether this page is the one in front. */
export function usePageActive(): boolean {
  return useContext(PageContext).isActive;
}

/** Names the page after what it shows, once that is known. */
export function usePageTitle(title: string | undefined): void {
  const { setTitle } = useContext(PageContext);
  useEffect(() => setTitle(title), [setTitle, title]);
}
