import { client } from './gen/client.gen';
import { callHeaders } from './headers';
import { withSealedBody } from './secret-calls';

/** The specification's request time-out, in milliseconds. */
export const REQUEST_TIMEOUT = 1_200_000;

/** Prepares the generated client: same origin, the headers of every call, a time limit, secrets encrypted. */
export function prepareClient(): void {
  client.setConfig({ baseUrl: window.location.origin });
  client.interceptors.request.use(async (request) => {
    const headers = callHeaders();
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const sealed = await withSealedBody(request, headers);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
    return new Request(sealed, { signal });
  });
}
