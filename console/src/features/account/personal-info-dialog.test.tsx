import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { currentToken, keepToken } from '@/shared/api/token';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { renderInFrame } from '@/testing/render';
import PersonalInfoDialog from './personal-info-dialog';

const server = vi.hoisted(() => ({ upsert: vi.fn(), logout: vi.fn() }));

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  const user = { userId: 'u1', userName: 'lin', documentType: '1', idNumber: '7', userType: '1' };
  return {
    ...(await original<object>()),
    userGet: async () => answer(user),
    userUpsert: async ({ body }: { body: object }) => answer(server.upsert(body) ?? null),
    sessionLogout: async ({ body }: { body: object }) => answer(server.logout(body) ?? null),
  };
});

it('after the personal information was changed the viewer is signed out', async () => {
  keepToken('t1');
  await renderInFrame(<PersonalInfoDialog userId="u1" onClose={() => undefined} />);
  await userEvent.type(await screen.findByLabelText('Name'), 'Lin');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(currentToken()).toBeUndefined());
  expect(server.upsert).toHaveBeenCalledWith(expect.objectContaining({ userId: 'u1', nickName: 'Lin' }));
  expect(server.logout).toHaveBeenCalledWith({ token: 't1' });
  expect(session.get<string>(storeKeys.farewell)).toMatch(/log in again|sign in again/i);
});
