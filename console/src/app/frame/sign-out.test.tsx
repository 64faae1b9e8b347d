import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { currentToken, keepToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { renderInFrame } from '@/testing/render';
import { useSignOut } from './sign-out';

const logout = vi.hoisted(() => vi.fn());
vi.mock('@/shared/api', async (original) => ({ ...(await original<object>()), sessionLogout: logout }));

function Leave() {
  const signOut = useSignOut();
  const { pathname } = useLocation();
  return (
    <>
      <button type="button" onClick={signOut}>
        leave
      </button>
      <output>{pathname}</output>
    </>
  );
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  logout.mockReset();
  keepToken('t1');
  local.set(storeKeys.customers, [{ customerid: 'default' }]);
});

afterEach(() => {
  vi.useRealTimers();
});

async function leave(): Promise<void> {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await renderInFrame(<Leave />, { path: '/home' });
  await user.click(await screen.findByRole('button', { name: 'leave' }));
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
}

it('signing out says that it exits for two seconds, and shows the sign-in page a second later', async () => {
  logout.mockResolvedValue({ data: { code: 200, message: '' }, response: new Response() });
  await leave();
  expect(await screen.findByText('Exiting...')).toBeInTheDocument();
  expect(logout).toHaveBeenCalledWith({ body: { token: 't1' } });
  expect(currentToken()).toBe('t1');
  await act(() => vi.advanceTimersByTimeAsync(2_500));
  expect(currentToken()).toBeUndefined();
  expect(screen.getByText('/home')).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  expect(screen.getByText('/login')).toBeInTheDocument();
});

it('signing out forgets the session though the server does not answer', async () => {
  logout.mockRejectedValue(new TypeError('Failed to fetch'));
  await leave();
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(currentToken()).toBeUndefined();
  expect(local.get(storeKeys.customers)).toBeUndefined();
  expect(screen.getByText('/login')).toBeInTheDocument();
});
