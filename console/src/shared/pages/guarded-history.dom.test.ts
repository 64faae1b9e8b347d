import { UNSAFE_createBrowserHistory } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { GuardedHistory } from './guarded-history';

window.history.replaceState(null, '', '/base/first');
// A window has one, as in the console: another would take the steps of this one for its own.
const history = new GuardedHistory(UNSAFE_createBrowserHistory({ v5Compat: true }), '/base');
const reported: string[] = [];
history.listen(({ action, location }) => reported.push(`${action} ${location.pathname}${location.search}`));

const held: { from: string; to: string; proceed: () => void; shown: string }[] = [];
const shown = () => window.location.pathname + window.location.search;
const isShown = (address: string) => vi.waitFor(() => expect(shown()).toBe(address));

/** Holds every change back; resolves at the first one, before the browser does anything else. */
function hold(meanwhile = () => {}): Promise<void> {
  return new Promise((resolve) => {
    history.guard((from, { pathname: to }, proceed) => {
      held.push({ from, to, proceed, shown: shown() });
      meanwhile();
      resolve();
      return true;
    });
  });
}

const holdNothing = () => history.guard(() => false);

beforeEach(() => {
  holdNothing();
  history.push('/base/list');
  history.push('/base/form');
  reported.length = 0;
  held.length = 0;
});

it('what is pushed or replaced while it is held changes nothing until it may proceed', () => {
  hold();
  history.push('/base/other');
  history.replace('/base/form?a=1');
  expect(held).toMatchObject([
    { from: '/form', to: '/other' },
    { from: '/form', to: '/form' },
  ]);
  expect([shown(), history.location.pathname, reported]).toEqual(['/base/form', '/base/form', []]);
  held[1]?.proceed();
  expect([shown(), history.location.search]).toEqual(['/base/form?a=1', '?a=1']);
  holdNothing();
  history.push('/base/other');
  expect(reported).toEqual(['REPLACE /base/form?a=1', 'PUSH /base/other']);
});

it('the guard that was ended is not asked', () => {
  const guard = vi.fn(() => true);
  history.guard(guard)();
  history.push('/base/other');
  expect(shown()).toBe('/base/other');
  expect(guard).not.toHaveBeenCalled();
});

it('the back button is taken back, and goes there once it may; then forward is asked about too', async () => {
  const asked = hold();
  window.history.back();
  await asked;
  expect(held).toMatchObject([{ from: '/form', to: '/list', shown: '/base/list' }]);
  expect(history.location.pathname).toBe('/base/form');
  await isShown('/base/form');
  expect(reported).toEqual([]);

  held[0]?.proceed();
  await isShown('/base/list');
  expect(reported).toEqual(['POP /base/list']);
  expect(history.location.pathname).toBe('/base/list');

  const askedAgain = hold();
  window.history.forward();
  await askedAgain;
  await isShown('/base/list');
  expect(held[1]).toMatchObject({ from: '/list', to: '/form', shown: '/base/form' });
});

it('a step of several entries is taken back whole', async () => {
  history.push('/base/form?a=1');
  const asked = hold();
  history.go(-2);
  await asked;
  await isShown('/base/form?a=1');
  held[0]?.proceed();
  await isShown('/base/list');
});

it('who presses the button again while it is taken back is asked once, and ends where they were', async () => {
  const asked = hold(() => window.history.back());
  window.history.back();
  await asked;
  holdNothing();
  history.replace('/base/form?a=1');
  await isShown('/base/form?a=1');
  expect([held.length, reported]).toEqual([1, ['REPLACE /base/form?a=1']]);

  const askedAgain = hold();
  window.history.back();
  await askedAgain;
  await isShown('/base/form?a=1');
});

it('a way back that the browser dropped is taken again', async () => {
  const go = vi.spyOn(window.history, 'go').mockImplementationOnce(() => {});
  const asked = hold();
  window.history.back();
  await asked;
  await isShown('/base/form');
  expect(go.mock.calls).toEqual([[1], [1]]);
  expect(held).toHaveLength(1);
  go.mockRestore();
});

it('what is confirmed or changed while the browser is on its way back waits until it is there', async () => {
  const asked = hold();
  window.history.back();
  await asked;
  holdNothing();
  history.replace('/base/form?a=1');
  held[0]?.proceed();
  expect(shown()).toBe('/base/list');
  await vi.waitFor(() => expect(reported).toEqual(['REPLACE /base/form?a=1', 'POP /base/list']));
  window.history.forward();
  await isShown('/base/form?a=1');
});

it('an entry that the console did not make is gone to unasked: the way back from it is not known', async () => {
  hold();
  window.history.replaceState(null, '', '/base/list');
  dispatchEvent(new PopStateEvent('popstate'));
  expect(reported).toEqual(['POP /base/list']);
  expect(held).toEqual([]);
});
