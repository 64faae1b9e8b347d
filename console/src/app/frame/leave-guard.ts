import { useEffect, useRef } from 'react';
import { useHistory } from '@/shared/pages/router';
import { forgetUnsaved, isAnythingUnsaved, isLostByLeaving, isUnsaved } from '@/shared/pages/unsaved';
import { useLeave } from '@/shared/ui/use-leave';
import { useFrontKey, useTabStore } from '../tab-store';
import { type Tab, tabAt } from '../tabs';

function askBeforeUnload(event: BeforeUnloadEvent): void {
  if (isAnythingUnsaved()) event.preventDefault();
}

/** Asks before what is being filled in is dropped by going to another page, or by closing the browser's window. */
export function useLeaveGuard(): void {
  const leave = useLeave();
  const history = useHistory();
  const frontKey = useFrontKey();
  const takeBack = useRef<() => void>(undefined);
  useEffect(
    () =>
      history.guard((_, to, proceed) => {
        const left = frontKey();
        const { tabs, front } = useTabStore.getState();
        const isLeft = left !== undefined && tabAt(tabs, to, to.action, front)?.key !== left;
        const isLost = isLeft && isLostByLeaving(left);
        if (isLost) {
          // Who presses the back button at the question is asked once, about where they want to go now.
          takeBack.current?.();
          takeBack.current = leave(true, proceed);
        }
        return isLost;
      }),
    [history, leave, frontKey],
  );
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
    leave(changed.length > 0, dropping, changed.map(titleOf));
  };
}
