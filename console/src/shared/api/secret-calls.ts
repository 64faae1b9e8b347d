import type { PlatformKey } from './seal';

const MEDIA_TYPE = 'application/zcbus+json';
const KEY_PATH = '/api/zcbus/sys/authentication/key';
const KEY_LIFETIME = 30 * 60 * 1000;

/**
 * Calls whose body may hold a password, a person's, a database's or another service's: they leave the browser encrypted.
 * A test compares them with the fields of the API's document.
 */
const secretPaths = [
  '/api/zcbus/sys/authentication/login',
  '/api/zcbus/account/',
  '/api/zcbus/dynamic/datasource/',
  '/api/zcbus/datasource/',
  '/api/zcbus/container/machine/',
  '/api/zcbus/container/cluster/customer/editKafkaProperties',
  '/api/zcbus/data-service/group/add',
  '/api/zcbus/data-service/group/edit',
  '/api/zcbus/publish/node/add',
  '/api/zcbus/publish/node/edit',
  '/api/zcbus/subscribe/customer/add',
  '/api/zcbus/subscribe/database/',
  '/api/zcbus/sys/notice/receiver/',
  '/api/zcbus/sync/link/apply',
  '/api/zcbus/sync/link/precheck',
  '/api/zcbus/system/network-route/add',
  '/api/zcbus/system/network-route/edit',
  '/api/zcbus/system/network-route/test',
  '/api/zcbus/tool/encode/',
];

let known: { key: PlatformKey; until: number } | undefined;

/** The platform's key, good for an hour and the next; asked for again after half an hour. */
async function platformKey(headers: HeadersInit): Promise<PlatformKey> {
  if (known && known.until > Date.now()) return known.key;
  const answer = await fetch(KEY_PATH, { headers });
  const { data } = (await answer.json()) as { data: PlatformKey };
  known = { key: data, until: Date.now() + KEY_LIFETIME };
  return data;
}

/** The platform refused the key: the next call requests it again. */
export function forgetPlatformKey(): void {
  known = undefined;
}

export function holdsSecret(path: string): boolean {
  return secretPaths.some((prefix) => path.startsWith(prefix));
}

/** The same request with its body encrypted, when it is one that may hold a password. */
export async function withSealedBody(request: Request, headers: HeadersInit): Promise<Request> {
  const { pathname } = new URL(request.url);
  if (!holdsSecret(pathname)) return request;
  const body = await request.clone().text();
  if (body === '') return request;
  const [{ seal }, key] = await Promise.all([import('./seal'), platformKey(headers)]);
  const sealed = new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: JSON.stringify(seal(key, request.method, pathname, body)),
    signal: request.signal,
  });
  sealed.headers.set('Content-Type', MEDIA_TYPE);
  return sealed;
}
