import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

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
 * `prefix` keeps two lists of one page apart.
 */
export function useUrlState<State extends Flat>(
  defaults: State,
  prefix = '',
): readonly [State, (change: Partial<State>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const state = useMemo(() => readUrlState(parameters, defaults, prefix), [parameters, defaults, prefix]);
  const change = useCallback(
    (values: Partial<State>) =>
      setParameters((before) => writeUrlState(before, defaults, values, prefix), { replace: true }),
    [setParameters, defaults, prefix],
  );
  return [state, change] as const;
}
