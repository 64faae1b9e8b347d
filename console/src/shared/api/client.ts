import { client } from './gen/client.gen';
import { callHeaders } from './headers';

/** The specification's request time-out, in milliseconds. */
export const REQUEST_TIMEOUT = 1_200_000;

/** Prepares the generated client: same origin, the headers of every call, a time limit. */
export function prepareClient(): void {
  client.setConfig({ baseUrl: window.location.origin });
  client.interceptors.request.use((request) => {
    for (const [name, value] of Object.entries(callHeaders())) request.headers.set(name, value);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
    return new Request(request, { signal });
  });
}
