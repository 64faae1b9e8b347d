import { watchAttendance } from '@/shared/lib/attended';
import { serviceAddress } from './addresses';
import { type AuditHint, auditHeaders } from './audit-headers';
import { client } from './gen/client.gen';
import { callHeaders } from './headers';
import { isPolling } from './polling';
import { holdsSecret, withSealedBody } from './secret-calls';
import { withLimit } from './time-limit';

/** Prepares the generated client: the system's address, the headers of every call, a time limit, secrets encrypted. */
export function prepareClient(): void {
  watchAttendance();
  client.setConfig({ baseUrl: window.location.origin });
  client.interceptors.request.use(async (request, options) => {
    const headers = callHeaders();
    const { pathname } = new URL(request.url);
    if (!isPolling(pathname, options.signal)) {
      const hint = (options as { meta?: { audit?: AuditHint } }).meta?.audit;
      Object.assign(headers, auditHeaders(pathname, holdsSecret(pathname) ? undefined : options.body, hint));
    }
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const sealed = await withSealedBody(request, headers);
    return withLimit(await addressed(sealed));
  });
}

/** The request at the address that the system's info names. Bodies are never streams, which not every browser sends. */
async function addressed(request: Request): Promise<Request> {
  const url = serviceAddress(request.url);
  if (url === request.url) return request;
  const { method, headers, signal } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.blob();
  return new Request(url, { method, headers, signal, body, credentials: 'omit' });
}
