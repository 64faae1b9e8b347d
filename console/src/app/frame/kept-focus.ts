/** What opens over a page, and the popups of what stands in it. */
const LAYERS = '.ant-drawer, .ant-modal-root, .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown';
const DIALOGS = '.ant-drawer-open, .ant-modal-wrap';

const isShown = (element: Element) => element.getClientRects().length > 0;
const shownDialog = () => [...document.querySelectorAll<HTMLElement>(DIALOGS)].filter(isShown).at(-1);

/**
 * Gives the focus back to where it was when what lies over the page goes: dialogs are taken away whole as soon as they
 * are closed, and the browser leaves the focus nowhere. Where its place has gone as well, as a deleted row's button, the
 * page gets it. Answers how to stop.
 */
export function keepFocus(page: () => HTMLElement | null): () => void {
  let last: Element | null = null;
  const remember = ({ target }: FocusEvent) => {
    // A dialog that holds the focus lets it out for a moment, to fetch it back.
    if (target instanceof Element && !target.closest(LAYERS) && !shownDialog()) last = target;
  };
  const giveBack = () => {
    if (document.activeElement !== document.body || last === null) return;
    const place = last.isConnected && isShown(last) ? (last as HTMLElement) : page();
    (shownDialog() ?? place)?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', remember);
  // Layers are children of the body.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ removedNodes }) => removedNodes.length > 0)) giveBack();
  });
  observer.observe(document.body, { childList: true });
  return () => {
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
