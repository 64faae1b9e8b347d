import { useCallback, useContext, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { PageContext } from './page-context';

/** Something that is being filled in. `kept`: it is only lost when its page's tab is closed, not when it is left. */
interface Input {
  isChanged: () => boolean;
  kept: boolean;
}

/** By the key of their page's tab. */
const inputs = new Map<string, Set<Input>>();

function changedOn(key: string): Input[] {
  return [...(inputs.get(key) ?? [])].filter(({ isChanged }) => isChanged());
}

/** Whether closing the tab `key` would drop what was filled in. */
export function isUnsaved(key: string): boolean {
  return changedOn(key).length > 0;
}

/** Whether going from it to another page would. */
export function isLostByLeaving(key: string): boolean {
  return changedOn(key).some(({ kept }) => !kept);
}

/** Whether closing the browser's window would. */
export function isAnythingUnsaved(): boolean {
  return [...inputs.keys()].some(isUnsaved);
}

/** Drops the unsaved input of these tabs without a question; of all if none is named. */
export function forgetUnsaved(keys: Iterable<string> = [...inputs.keys()]): void {
  for (const key of keys) inputs.delete(key);
}

/**
 * Before what is filled in here is dropped, because its page is left or its tab or the window closed, the viewer is asked;
 * only while `isChanged`. Answers what says that it was saved, so that leaving asks no longer.
 */
export function useUnsaved(isChanged: () => boolean, { kept = false } = {}): () => void {
  const { pathname } = useLocation();
  const key = useContext(PageContext).key ?? pathname;
  const latest = useRef(isChanged);
  latest.current = isChanged;
  const input = useRef<Input>(undefined);
  useEffect(() => {
    const added = { isChanged: () => latest.current(), kept };
    input.current = added;
    inputs.set(key, new Set(inputs.get(key)).add(added));
    return () => {
      inputs.get(key)?.delete(added);
    };
  }, [key, kept]);
  return useCallback(() => {
    if (input.current) inputs.get(key)?.delete(input.current);
  }, [key]);
}
