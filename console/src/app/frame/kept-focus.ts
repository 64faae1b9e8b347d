/** What opens over a page, and the popups of what stands in it. */
const LAYERS = '.ant-drawer, .ant-modal-root, .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown';
const DIALOGS = '.ant-drawer-open, .ant-modal-wrap';

const STOPS = 'a[href], button, input, select, textarea, [contenteditable="true"], [tabindex]';

const isShown = (element: Element) => element.getClientRects().length > 0;
const shownDialog = () => [...document.querySelectorAll<HTMLElement>(DIALOGS)].filter(isShown).at(-1);

/** Behind the last stop of a dialog comes its first: the kit's drawers would let the focus out to the browser's own bar. */
function goAround(event: KeyboardEvent): void {
  const dialog = shownDialog();
  const { activeElement } = document;
  if (event.key !== 'Tab' || event.defaultPrevented || !dialog?.contains(activeElement)) return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && isShown(stop),
  );
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (activeElement !== from && !(event.shiftKey && activeElement === dialog)) return;
  event.preventDefault();
  to?.focus();
}

/**
 * Gives the focus back to where it was when what lies over the page, or over another dialog, goes: dialogs are taken away
 * whole as soon as they are closed, and the browser leaves the focus nowhere. Where its place has gone as well, as a
 * deleted row's button, the page or the dialog below gets it. In a dialog it goes around. Answers how to stop.
 */
export function keepFocus(page: () => HTMLElement | null): () => void {
  /** By dialog; the page's stands under none. */
  const places = new Map<Element | undefined, HTMLElement>();
  const remember = ({ target }: FocusEvent) => {
    const dialog = shownDialog();
    // A dialog that holds the focus lets it out for a moment, to fetch it back.
    const isOwn = target instanceof Element && target.closest(LAYERS) === (dialog?.closest(LAYERS) ?? null);
    if (isOwn) places.set(dialog, target as HTMLElement);
  };
  const giveBack = () => {
    for (const dialog of places.keys()) if (dialog && !dialog.isConnected) places.delete(dialog);
    if (document.activeElement !== document.body || places.size === 0) return;
    const dialog = shownDialog();
    const last = places.get(dialog);
    const place = last?.isConnected && isShown(last) ? last : (dialog ?? page());
    place?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', remember);
  document.addEventListener('keydown', goAround);
  // Layers are children of the body.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ removedNodes }) => removedNodes.length > 0)) giveBack();
  });
  observer.observe(document.body, { childList: true });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('keydown', goAround);
    observer.disconnect();
  };
}
