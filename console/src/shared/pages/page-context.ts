import { createContext, useContext, useEffect } from 'react';

/** A state in one word, right of the breadcrumbs. */
export interface PageTag {
  /** 1 primary, 2 success, 0, 4 and 7 danger, 5 and 6 warning; any other: primary. */
  type: number;
  text: string;
}

export interface PageState {
  /** The key of the page's tab; undefined where a page is drawn without one. */
  key?: string;
  /** False while another page tab is in front: the page is kept, but must neither ask the server nor show overlays. */
  isActive: boolean;
  /** Replaces the page's title in its tab, the breadcrumbs and the window, e.g. by the name of what it shows. */
  setTitle: (title: string | undefined) => void;
  /** Shows a state right of the breadcrumbs, where it stays in sight however far the page is scrolled. */
  setTag: (tag: PageTag | undefined) => void;
}

export const PageContext = createContext<PageState>({
  isActive: true,
  setTitle: () => {},
  setTag: () => {},
});

/** Whether this page is the one in front. */
export function usePageActive(): boolean {
  return useContext(PageContext).isActive;
}

/** Names the page after what it shows, once that is known. */
export function usePageTitle(title: string | undefined): void {
  const { setTitle } = useContext(PageContext);
  useEffect(() => setTitle(title), [setTitle, title]);
}

/** Says in which state the thing is that the page shows, once that is known. */
export function usePageTag(tag: PageTag | undefined): void {
  const { setTag } = useContext(PageContext);
  const { type, text } = tag ?? {};
  useEffect(
    () => setTag(type === undefined || text === undefined ? undefined : { type, text }),
    [setTag, type, text],
  );
}
