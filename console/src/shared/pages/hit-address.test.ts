import { expect, it } from 'vitest';
import { addressOf } from './hit-address';

const hit = (details: Record<string, string>) => ({ id: 'i 1', name: 'a&b', within: '', details, at: null });

it('leads to the page that shows what was found, narrowed to it', () => {
  expect(addressOf('link', hit({}))).toBe('/sync-link-config/i%201');
  expect(addressOf('column', hit({ type: 'mysql', node: 'n', table: 'x y' }))).toBe(
    '/publishsubdetail/mysql/n?table-search=x+y',
  );
  const details = { type: 'databus', customer: 'c', control: 'm', channel: 'h', table: 't' };
  expect(addressOf('subscribed-table', hit(details))).toBe(
    '/databus/data-sheet?customer=c&control=m&channel=h&search=t',
  );
  expect(addressOf('customer', hit({ type: 'client' }))).toBe('/subscribe/customer?search=a%26b');
  expect(addressOf('operation', hit({}))).toBe('/monitor/operation-log?record=i%201');
});
