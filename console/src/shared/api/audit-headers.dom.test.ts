import { beforeEach, expect, it } from 'vitest';
import { auditHeaders } from './audit-headers';
import { isPolling, markPolling } from './polling';

const PATH = '/api/zcbus/sync/link/pause';

function operationOf(headers: Record<string, string>) {
  return JSON.parse(decodeURIComponent(headers.operation as string));
}

beforeEach(() => {
  document.title = '同步链路';
});

it('sends page, kind and object, in characters that a header can carry', () => {
  const headers = auditHeaders(
    PATH,
    { name: '订单' },
    { before: { state: 'running' }, after: { state: 'suspended' } },
  );
  expect(Object.values(headers).join('')).toMatch(/^[\x20-\x7e]+$/);
  expect(decodeURIComponent(headers.title as string)).toBe('同步链路');
  expect(decodeURIComponent(headers.businessType as string)).toBe('sync/link/pause');
  expect(operationOf(headers)).toEqual({
    before: '{"state":"running"}',
    current: '{"name":"订单"}',
    after: '{"state":"suspended"}',
  });
});

it('never sends a secret', () => {
  const headers = auditHeaders(PATH, { source: { user: 'u', password: 'Geheim-1' }, token: 'Geheim-2' });
  expect(JSON.stringify(headers)).not.toContain('Geheim');
});

it.each(['x', '单', '𝄞'])('cuts long texts of %s so that they can still be read', (character) => {
  const body = { text: character.repeat(5000) };
  const headers = auditHeaders(PATH, body, { before: body, after: body });
  expect(headers.operation?.length).toBeLessThanOrEqual(3000);
  expect(headers.operation?.length).toBeGreaterThanOrEqual(1000);
  expect(operationOf(headers).current).toContain(character);
});

it('knows the calls that are made by themselves', () => {
  const [once, again] = [new AbortController().signal, new AbortController().signal];
  markPolling(again);
  expect(isPolling(PATH, once)).toBe(false);
  expect(isPolling(PATH, undefined)).toBe(false);
  expect(isPolling(PATH, again)).toBe(true);
  expect(isPolling('/api/zcbus/sys/alarmmsg/countUnRead', once)).toBe(true);
});
