import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { client } from '@/shared/api/gen/client.gen';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { EncodeTool } from './encode-tool';
import EncodeToolDrawer from './encode-tool-drawer';

// The body in plain: what encrypts it on its way has tests of its own.
client.setConfig({ baseUrl: window.location.origin });

const sent: string[] = [];
let envelope: object;

beforeEach(() => {
  sent.length = 0;
  envelope = { code: 200, message: '', data: 'mzxw6' };
  useNotices.setState({ waiting: [] });
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(`${new URL(request.url).pathname.split('/').at(-1)} ${await request.text()}`);
    return Response.json(envelope);
  });
});

it('shows what was encrypted; clear empties both boxes', async () => {
  await renderInFrame(<EncodeTool />);
  await screen.findByLabelText('Input');
  await userEvent.type(screen.getByLabelText('Input'), 'a b');
  await userEvent.click(screen.getByRole('button', { name: 'Encrypt' }));
  await waitFor(() => expect(screen.getByLabelText('Output')).toHaveValue('mzxw6'));
  expect(sent).toEqual(['getEncodeString {"inputStr":"a b"}']);
  expect(screen.getByLabelText('Output')).toHaveAttribute('readonly');
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(screen.getByLabelText('Input')).toHaveValue('');
  expect(screen.getByLabelText('Output')).toHaveValue('');
});

it('does not send what cannot be decrypted, and says so', async () => {
  await renderInFrame(<EncodeTool />);
  await screen.findByLabelText('Input');
  await userEvent.click(screen.getByRole('button', { name: 'Decrypt' }));
  await userEvent.type(screen.getByLabelText('Input'), 'a b');
  await userEvent.click(screen.getByRole('button', { name: 'Decrypt' }));
  expect(useNotices.getState().waiting.map(({ kind, text }) => [kind, text])).toEqual([
    ['warning', 'Enter letters, digits or underscore'],
    ['warning', 'Enter letters, digits or underscore'],
  ]);
  expect(sent).toEqual([]);
});

it('passes over what the server refuses', async () => {
  envelope = { code: 300, message: 'not ours' };
  await renderInFrame(<EncodeTool />);
  await screen.findByLabelText('Input');
  await userEvent.type(screen.getByLabelText('Input'), 'abc');
  await userEvent.click(screen.getByRole('button', { name: 'Decrypt' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Decrypt' })).toBeEnabled());
  expect(screen.getByLabelText('Output')).toHaveValue('');
  expect(useNotices.getState().waiting).toEqual([]);
});

it('the drawer takes 70 percent of the window and names the tool', async () => {
  await renderInFrame(<EncodeToolDrawer open onClose={() => undefined} />);
  expect(await screen.findByRole('dialog', { name: 'Encryption tool' })).toBeInTheDocument();
  expect(document.querySelector('.ant-drawer-content-wrapper')).toHaveStyle({ width: '70%' });
});
