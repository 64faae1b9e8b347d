import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { HeadRegistration, RegistrationNotice } from './registration-tag';

const user = vi.hoisted(() => ({ clientRemote: false, menuPermission: [] as string[] }));
const describe = vi.hoisted(() => vi.fn());
vi.mock('../session', () => ({ useSignedInUser: () => user }));
vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  registrationDescribe: describe,
}));

function registered(status: number): void {
  const endTime = '2020-01-01T00:00:00Z';
  const data = { status, edition: 'licensed', endTime, holder: 'North' };
  describe.mockResolvedValue({ data: { code: 200, message: '', data }, response: new Response() });
}

beforeEach(() => {
  describe.mockReset();
  registered(3);
  Object.assign(user, { clientRemote: false, menuPermission: ['System.Register'] });
});

it.each([
  [false, ['System.Register'], true],
  [true, ['System.Register'], false],
  [false, ['home'], false],
])(
  'the registration is asked about and shown only to those who may: remote %j, %j',
  async (remote, granted, shown) => {
    Object.assign(user, { clientRemote: remote, menuPermission: granted });
    await renderInFrame(
      <>
        <HeadRegistration />
        <p>drawn</p>
      </>,
    );
    await screen.findByText('drawn');
    if (shown) expect(await screen.findByText('Expired')).toBeVisible();
    await waitFor(() => expect(describe).toHaveBeenCalledTimes(shown ? 1 : 0));
    expect(screen.queryAllByText('Expired')).toHaveLength(shown ? 1 : 0);
  },
);

it('the registration status 3 is shown as an error that stays', async () => {
  await renderInFrame(<RegistrationNotice />);
  const notice = await screen.findByRole('status');
  expect(notice).toHaveAttribute('data-kind', 'error');
  expect(notice).toHaveTextContent(/Tips.*expired/);
});
