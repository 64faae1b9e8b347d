import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import UserDrawer from './user-drawer';

const server = vi.hoisted(() => ({ user: {} as object, sent: vi.fn() }));

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  return {
    ...(await original<object>()),
    menuGrantedTree: async () => answer([]),
    userGet: async () => answer(server.user),
    roleListOptions: async () => answer([{ code: 'ordinary', name: 'Ordinary account' }]),
    tenantPage: async () => answer({ records: [], total: 0 }),
    departmentTree: async () => answer([]),
    sessionGetInformation: async () => answer({ user: {}, customerList: [], deployment: 0 }),
    userUpsert: async (request: object) => answer(server.sent(request) ?? null),
  };
});

const person = {
  userId: 'u1',
  userName: 'lin',
  nickName: 'Lin',
  documentType: '0',
  idNumber: '11010519491231002X',
  roleCodes: ['ordinary'],
  status: '0',
  customerId: 'default',
  clientRemote: false,
};

async function statuses(): Promise<string[]> {
  await userEvent.click(screen.getByLabelText('Status'));
  await screen.findByRole('option', { name: 'Normal' });
  return [...document.querySelectorAll('.ant-select-item-option')].map(
    ({ textContent }) => textContent ?? '',
  );
}

it('the status cancelled is offered for users that are there, not for a new one', async () => {
  const added = await renderInFrame(<UserDrawer onClose={() => undefined} />);
  await screen.findByLabelText('Password');
  expect(await statuses()).toEqual(['Normal', 'Disabled']);
  added.unmount();
  server.user = { ...person, userType: '3' };
  await renderInFrame(<UserDrawer userId="u1" onClose={() => undefined} />);
  await screen.findByDisplayValue('lin');
  expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
  expect(await statuses()).toEqual(['Normal', 'Disabled', 'Cancelled']);
});

it('a built-in account has its name and status locked and its role hidden', async () => {
  server.user = { ...person, userType: '-1' };
  await renderInFrame(<UserDrawer userId="u1" onClose={() => undefined} />);
  expect(await screen.findByDisplayValue('lin')).toBeDisabled();
  expect(screen.getByLabelText('Status')).toBeDisabled();
  expect(screen.queryByLabelText('Role')).not.toBeInTheDocument();
});

it('Chinese characters are stripped from phone and email as they are typed', async () => {
  await renderInFrame(<UserDrawer onClose={() => undefined} />);
  const phone = await screen.findByLabelText('Phone');
  await userEvent.type(phone, '138电话12345678');
  expect(phone).toHaveValue('13812345678');
  const email = screen.getByLabelText('Email');
  await userEvent.type(email, '邮lin@example.com');
  expect(email).toHaveValue('lin@example.com');
});

it('a phone number that is none is reported in a notice and cleared', async () => {
  useNotices.setState({ waiting: [] });
  await renderInFrame(<UserDrawer onClose={() => undefined} />);
  const phone = await screen.findByLabelText('Phone');
  await userEvent.type(phone, '12345678901');
  await userEvent.tab();
  expect(phone).toHaveValue('');
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'error' }]);
});

it('the form of a new user names what is missing', async () => {
  await renderInFrame(<UserDrawer onClose={() => undefined} />);
  await screen.findByLabelText('Password');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Username cannot be empty')).toBeInTheDocument();
  expect(screen.getByText('Please select role')).toBeInTheDocument();
  expect(server.sent).not.toHaveBeenCalled();
});
