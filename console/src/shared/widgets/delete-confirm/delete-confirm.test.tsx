import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { prepareClient } from '@/shared/api/client';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { confirmDelete, DeleteConfirmHost, type DeleteRequest } from '.';

const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

let isDeleteCode: boolean | undefined;
let pictures: number;
let checks: { uuid: string; code: string }[];
let right: boolean;

const named = (id: string, name: string) => ({ id, name, within: '', details: {}, at: null });
const dependants = [
  { kind: 'plan', hits: [named('p', 'nightly')], total: 3, prevents: false, visible: true },
  { kind: 'link', hits: [named('l', 'orders')], total: 1, prevents: true, visible: true },
  { kind: 'user', hits: [], total: 2, prevents: true, visible: false },
];

function answerOf(path: string, body: string): unknown {
  if (path.endsWith('/resource/dependants')) return JSON.parse(body).id === 'oslo' ? dependants : [];
  if (path.endsWith('/getByVariableName')) return { variableName: 'sys_config', value: { isDeleteCode } };
  if (path.endsWith('/captcha/code')) {
    pictures += 1;
    return { uuid: `picture-${pictures}`, img: PICTURE };
  }
  checks.push(JSON.parse(body));
  return right;
}

prepareClient();

beforeEach(() => {
  pictures = 0;
  checks = [];
  right = true;
  useNotices.setState({ waiting: [] });
  vi.stubGlobal('fetch', async (request: Request) => {
    const data = answerOf(new URL(request.url).pathname, await request.text());
    return Response.json({ code: 200, message: '', data });
  });
});

async function ask(request: Partial<DeleteRequest>) {
  const run = vi.fn().mockResolvedValue(undefined);
  await renderInFrame(<DeleteConfirmHost />);
  act(() =>
    confirmDelete({
      title: 'Delete Oslo?',
      content: 'Oslo is gone then.',
      dependants: null,
      mode: 'get',
      run,
      ...request,
    }),
  );
  await screen.findByRole('dialog', { name: 'Delete Oslo?' });
  return request.run ?? run;
}

const button = () => screen.getByRole('button', { name: /Delete$/ });
const reported = () => useNotices.getState().waiting.map(({ text }) => text);
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

it.each([false, undefined])('is a plain warning while isDeleteCode is %s', async (flag) => {
  isDeleteCode = flag;
  const run = await ask({});
  await waitFor(() => expect(button()).toBeEnabled());
  expect(screen.queryByLabelText('Verification code')).not.toBeInTheDocument();
  await userEvent.click(button());
  await isGone();
  expect(run).toHaveBeenCalledWith({});
});

it('takes digits and dots only, and asks for them when there are none', async () => {
  isDeleteCode = true;
  const run = await ask({});
  const field = await screen.findByLabelText('Verification code');
  await screen.findByRole('img', { name: 'Verification picture' });
  await userEvent.click(button());
  expect(reported()).toEqual(['Enter the verification code']);
  await userEvent.type(field, 'a1-2.3 ');
  expect(field).toHaveValue('12.3');
  expect(run).not.toHaveBeenCalled();
});

it('checks first in get mode; a wrong code is reported and gets another picture', async () => {
  isDeleteCode = true;
  right = false;
  const run = await ask({});
  await screen.findByRole('img', { name: 'Verification picture' });
  await userEvent.type(screen.getByLabelText('Verification code'), '4711{Enter}');
  await waitFor(() => expect(pictures).toBe(2));
  expect(reported()).toEqual(['Enter the correct verification code']);
  expect(screen.getByLabelText('Verification code')).toHaveValue('');
  expect(run).not.toHaveBeenCalled();
  right = true;
  await waitFor(() => expect(button()).not.toHaveClass('ant-btn-loading'));
  await userEvent.type(screen.getByLabelText('Verification code'), '4712{Enter}');
  await isGone();
  expect(checks.map(({ uuid, code }) => [uuid, code])).toEqual([
    ['picture-1', '4711'],
    ['picture-2', '4712'],
  ]);
});

it('hands the code on unchecked in post mode, and stays open with another picture when that fails', async () => {
  isDeleteCode = true;
  const run = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce(undefined);
  await ask({ mode: 'post', run });
  await screen.findByRole('img', { name: 'Verification picture' });
  await userEvent.type(screen.getByLabelText('Verification code'), '1');
  await userEvent.click(button());
  await waitFor(() => expect(pictures).toBe(2));
  await waitFor(() => expect(button()).not.toHaveClass('ant-btn-loading'));
  await userEvent.type(screen.getByLabelText('Verification code'), '2');
  await userEvent.click(button());
  await isGone();
  expect(run.mock.calls).toEqual([[{ code: '1', uuid: 'picture-1' }], [{ code: '2', uuid: 'picture-2' }]]);
  expect(checks).toEqual([]);
});

it('does not close by a click outside', async () => {
  isDeleteCode = false;
  await ask({});
  await userEvent.click(document.querySelector('.ant-modal-wrap') as Element);
  expect(screen.getByRole('dialog')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await isGone();
});

it('a picture that cannot be fetched is reported', async () => {
  isDeleteCode = true;
  const answering = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) =>
    /captcha\/code|verify\/get/.test(request.url)
      ? Response.json({ code: 300, message: 'no picture' })
      : answering(request),
  );
  await ask({});
  expect(await screen.findByText('Failed to get verification code')).toBeInTheDocument();
});

it('lists what depends on the object with links to it, and what prevents the deletion first', async () => {
  isDeleteCode = false;
  await ask({ dependants: { deleting: 'publish/node/delete', id: 'oslo' } });
  const parts = await screen.findAllByRole('region');
  expect(parts.map(({ textContent }) => textContent)).toEqual([
    'It cannot be deleted while these exist:1 sync link: orders2 users',
    'Deleting it affects:3 task plans: nightly and 2 more',
  ]);
  expect(screen.getByRole('link', { name: 'nightly' })).toHaveAttribute('href', '/task?search=nightly');
  await userEvent.click(screen.getByRole('link', { name: 'orders' }));
  await isGone();
});

it('lists nothing where nothing depends on it', async () => {
  isDeleteCode = false;
  await ask({ dependants: { deleting: 'publish/node/delete', id: 'bergen' } });
  await waitFor(() => expect(button()).toBeEnabled());
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
});
