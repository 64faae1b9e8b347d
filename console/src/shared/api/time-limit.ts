/** The specification's request time-out, in milliseconds. */
export const REQUEST_TIMEOUT = 1_200_000;

const running = new WeakMap<Request, ReturnType<typeof setTimeout>>();

/**
 * The request with a limit to the time until its answer is read; `endLimit` must follow. The browser's own limit
 * (`AbortSignal.timeout`) cannot be ended: it would keep what each call needed for twenty minutes more.
 */
export function withLimit(request: Request): Request {
  const limit = new AbortController();
  const signal = AbortSignal.any([request.signal, limit.signal]);
  const limited = new Request(request, { signal });
  const expire = () => limit.abort(new DOMException('No answer in time', 'TimeoutError'));
  running.set(limited, setTimeout(expire, REQUEST_TIMEOUT));
  return limited;
}

/** The answer to this request is there, or there will be none. */
export function endLimit(request: Request): void {
  clearTimeout(running.get(request));
  running.delete(request);
}
