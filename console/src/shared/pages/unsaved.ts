import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Something that is being filled in. `kept`: it is only lost when its page's tab is closed, not when it is left. */
interface Input {
  isChanged: () => boolean;
  kept: boolean;
}

/** By the path of their page, which is the key of its tab. */
const inputs = new Map<string, Set<Input>>();

function changedOn(pathname: string): Input[] {
  return [...(inputs.get(pathname) ?? [])].filter(({ isChanged }) => isChanged());
}

/** Whether closing the page at `pathname` would drop what was filled in. */
export function isUnsaved(pathname: string): boolean {
  return changedOn(pathname).length > 0;
}

/** Whether going from it to another page would. */
export function isLostByLeaving(pathname: string): boolean {
  return changedOn(pathname).some(({ kept }) => !kept);
}

/** Whether closing the browser's window would. */
export function isAnythingUnsaved(): boolean {
  return [...inputs.keys()].some(isUnsaved);
}

/** Drops the unsaved input of these pages without a question; of all pages if none is named. */
export function forgetUnsaved(pathnames: Iterable<string> = [...inputs.keys()]): void {
  for (const pathname of pathnames) inputs.delete(pathname);
}

/**
 * Before what is filled in here is dropped, because its page is left or its tab or the window closed, the viewer is asked;
 * only while `isChanged`. Answers what says that it was saved, so that leaving asks no longer.
 */
export function useUnsaved(isChanged: () => boolean, { kept = false } = {}): () => void {
  const { pathname } = useLocation();
  const latest = useRef(isChanged);
  latest.current = isChanged;
  const input = useRef<Input>(undefined);
  useEffect(() => {
    const added = { isChanged: () => latest.current(), kept };
    input.current = added;
    inputs.set(pathname, new Set(inputs.get(pathname)).add(added));
    return () => {
      inputs.get(pathname)?.delete(added);
    };
  }, [pathname, kept]);
  return useCallback(() => {
    if (input.current) inputs.get(pathname)?.delete(input.current);
  }, [pathname]);
}
