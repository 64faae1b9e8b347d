import { useEffect, useEffectEvent } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router';
import { forgetUnsaved, isAnythingUnsaved, isLostByLeaving, isUnsaved } from '@/shared/pages/unsaved';
import { useLeave } from '@/shared/ui/use-leave';
import type { Tab } from '../tabs';

const shouldBlock: BlockerFunction = ({ currentLocation: from, nextLocation: to }) =>
  from.pathname !== to.pathname && isLostByLeaving(from.pathname);

function askBeforeUnload(event: BeforeUnloadEvent): void {
  if (isAnythingUnsaved()) event.preventDefault();
}

/** Asks before what is being filled in is dropped by going to another page, or by closing the browser's window. */
export function useLeaveGuard(): void {
  const leave = useLeave();
  const blocker = useBlocker(shouldBlock);
  const ask = useEffectEvent(() => {
    if (blocker.state === 'blocked') leave(true, blocker.proceed, { stay: blocker.reset });
  });
  // Once for each time that leaving was stopped.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stopped is another blocker each time
  useEffect(() => ask(), [blocker]);
  useEffect(() => {
    window.addEventListener('beforeunload', askBeforeUnload);
    return () => window.removeEventListener('beforeunload', askBeforeUnload);
  }, []);
}

/** Closes tabs; asks first where that drops what is being filled in. */
export function useTabClosing(
  titleOf: (tab: Tab) => string,
): (tabs: readonly Tab[], close: () => void) => void {
  const leave = useLeave();
  return (tabs, close) => {
    const changed = tabs.filter(({ key }) => isUnsaved(key));
    const dropping = () => {
      forgetUnsaved(changed.map(({ key }) => key));
      close();
    };
    leave(changed.length > 0, dropping, { pages: changed.map(titleOf) });
  };
}
