import { beforeEach, expect, it, vi } from 'vitest';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { loadMessages } from '@/testing/messages';
import { accountChangePassword, alertCountUnread, call, syncLinkPage, syncLinkPause } from '.';
import { setAddresses } from './addresses';
import { prepareClient } from './client';
import { markPolling } from './polling';
import { keepToken } from './token';

// An X25519 key of anybody: what is encrypted for it is not opened here.
const KEY = { kid: 'k', publicKey: 'CQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' };

const sent: Request[] = [];

prepareClient();

beforeEach(async () => {
  await loadMessages('en');
  sent.length = 0;
  document.title = '同步链路';
  keepToken('secret');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request !== 'string') sent.push(request);
    return Response.json({ code: 200, message: '', data: KEY });
  });
});

function header(name: string): string | null {
  const value = sent[0]?.headers.get(name) ?? null;
  return value && decodeURIComponent(value);
}

it('every call says where it comes from, in which language, and for whom', async () => {
  await call(alertCountUnread({ body: {} }));
  expect([header('source'), header('env'), header('ZCBUS-TOKEN')]).toEqual(['zcbus-console', 'en', 'secret']);
});

it('every call says from which portal the viewer came, while that is stored', async () => {
  await call(alertCountUnread({ body: {} }));
  expect(header('ZCBUS-SOURCE-URL')).toBeNull();
  local.set(storeKeys.sourceUrl, 'https://portal.example/入口');
  sent.length = 0;
  await call(alertCountUnread({ body: {} }));
  local.remove(storeKeys.sourceUrl);
  expect(header('ZCBUS-SOURCE-URL')).toBe('https://portal.example/入口');
});

it('calls go to the service URL of the system info, with their bodies, and home where there is none', async () => {
  setAddresses({ serviceUrl: 'https://api.example:8443', websocketUrl: '' });
  await call(syncLinkPause({ body: { id: '7' } }));
  setAddresses({});
  await call(syncLinkPause({ body: { id: '8' } }));
  expect(sent.map(({ url }) => new URL(url).origin)).toEqual([
    'https://api.example:8443',
    window.location.origin,
  ]);
  expect(await Promise.all(sent.map((request) => request.json()))).toEqual([{ id: '7' }, { id: '8' }]);
  expect(sent[0]?.headers.get('ZCBUS-TOKEN')).toBe('secret');
});

it('calls of an unattended page are marked, until the user touches it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  window.dispatchEvent(new Event('keydown'));
  await call(alertCountUnread({ body: {} }));
  expect(header('ZCBUS-UNATTENDED')).toBeNull();
  vi.setSystemTime(Date.now() + 61_000);
  sent.length = 0;
  await call(alertCountUnread({ body: {} }));
  expect(header('ZCBUS-UNATTENDED')).toBe('1');
  window.dispatchEvent(new Event('pointerdown'));
  sent.length = 0;
  await call(alertCountUnread({ body: {} }));
  expect(header('ZCBUS-UNATTENDED')).toBeNull();
  vi.useRealTimers();
});

it('a call carries the audit headers, with those of its page', async () => {
  const meta = { audit: { before: { state: 'running' }, after: { state: 'suspended' } } };
  await call(syncLinkPause({ body: { id: '7' }, meta }));
  expect(header('title')).toBe('同步链路');
  expect(header('businessType')).toBe('sync/link/pause');
  expect(JSON.parse(header('operation') ?? '')).toEqual({
    before: '{"state":"running"}',
    current: '{"id":"7"}',
    after: '{"state":"suspended"}',
  });
});

it('a call that is not answered within twenty minutes has timed out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal(
    'fetch',
    ({ signal }: Request) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const outcome = call(alertCountUnread({ body: {} })).catch((error: unknown) => error);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(await outcome).toMatchObject({
    code: 'timeout',
    message: 'The request timed out; check the network or try later',
  });
  vi.useRealTimers();
});

it('an answered call leaves no time limit behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await call(alertCountUnread({ body: {} }));
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('one of many looks carries none', async () => {
  const { signal } = new AbortController();
  markPolling(signal);
  await call(syncLinkPage({ body: {}, signal }));
  await call(alertCountUnread({ body: {} }));
  expect(sent.map(({ headers }) => headers.get('operation'))).toEqual([null, null]);
});

it('a password is neither in the headers nor in plain in the body', async () => {
  const passwords = { currentPassword: 'Geheim-1', newPassword: 'Geheim-2', confirmPassword: 'Geheim-2' };
  await call(accountChangePassword({ body: { ...passwords, token: '' } }));
  expect(header('operation')).toBe('{}');
  expect(sent[0]?.headers.get('content-type')).toBe('application/zcbus+json');
  expect(await sent[0]?.clone().text()).not.toContain('Geheim');
});
