import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useHref, useLocation, useNavigate } from 'react-router';
import { usePageActive } from '@/shared/pages/page-context';
import { useHistory } from '@/shared/pages/router';

type Flat = Record<string, string | number | boolean>;

function parse<Value>(text: string, fallback: Value): Value {
  if (typeof fallback === 'number') {
    const value = Number(text);
    return (text !== '' && Number.isFinite(value) ? value : fallback) as Value;
  }
  if (typeof fallback === 'boolean') return (text === 'true') as Value;
  return text as Value;
}

/** What the address says, with `defaults` for what it does not say. Values keep the types of the defaults. */
export function readUrlState<State extends Flat>(
  parameters: URLSearchParams,
  defaults: State,
  prefix = '',
): State {
  const entries = Object.entries(defaults).map(([name, fallback]) => {
    const text = parameters.get(prefix + name);
    return [name, text === null ? fallback : parse(text, fallback)];
  });
  return Object.fromEntries(entries) as State;
}

/** The address with `change` applied; what equals its default is left out, so that plain pages have plain addresses. */
export function writeUrlState<State extends Flat>(
  parameters: URLSearchParams,
  defaults: State,
  change: Partial<State>,
  prefix = '',
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === defaults[name]) next.delete(prefix + name);
    else next.set(prefix + name, String(value));
  }
  return next;
}

/**
 * State that lives in the address, so that a link shows the same list. `defaults` must not change between renders.
 * `prefix` keeps two lists of one page apart. A change begins at the address as it is, which is ahead of what is drawn:
 * of two in a row none is lost. One that comes when another page is in front waits until its own page is there again.
 */
export function useUrlState<State extends Flat>(
  defaults: State,
  prefix = '',
): readonly [State, (change: Partial<State>) => void] {
  const { pathname, search } = useLocation();
  const here = useHref(pathname);
  const navigate = useNavigate();
  const history = useHistory();
  const state = useMemo(
    () => readUrlState(new URLSearchParams(search), defaults, prefix),
    [search, defaults, prefix],
  );
  const isActive = usePageActive();
  const held = useRef<{ values: Partial<State>; at: string }>(undefined);
  const change = useCallback(
    (values: Partial<State>) => {
      const now = history.location;
      // Another tab of the same path may be in front.
      if (now.pathname !== here || !isActive) {
        held.current = { values: { ...held.current?.values, ...values }, at: search };
        return;
      }
      const next = writeUrlState(new URLSearchParams(now.search), defaults, values, prefix);
      navigate(`?${next}`, { replace: true });
    },
    [history, here, isActive, search, navigate, defaults, prefix],
  );
  useEffect(() => {
    if (!isActive || !held.current) return;
    const { values, at } = held.current;
    held.current = undefined;
    // A link that has led here since says what is wanted.
    if (at === search) change(values);
  }, [isActive, search, change]);
  return [state, change] as const;
}
