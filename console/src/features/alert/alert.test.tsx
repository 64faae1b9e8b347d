import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { UserRecord } from '@/shared/api';
import { renderInFrame } from '@/testing/render';
import { AlertBell } from './bell';

const server = vi.hoisted(() => ({
  alerts: [] as object[],
  save: vi.fn(),
  handled: vi.fn(),
  operations: ['view'],
}));

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  type Change = { body: { id?: string; status?: number; open?: boolean; mine?: boolean } };
  const unread = () => server.alerts.filter((alert) => 'status' in alert && alert.status === 0);
  return {
    ...(await original<object>()),
    parameterGetByVariableName: async () => answer({ value: { countdown: 10 } }),
    alertCountUnread: async () => answer(unread().length),
    alertPage: async ({ body }: Change) => {
      const records = server.alerts.filter(
        (alert) =>
          body.open || (body.status === undefined ? true : 'status' in alert && alert.status === body.status),
      );
      return answer(body.mine ? { records: [], total: 0 } : { records, total: records.length });
    },
    menuGrantedTree: async () =>
      answer([{ menuKey: 'system/message-management', operations: server.operations, children: [] }]),
    alertPageAssignees: async () =>
      answer({ records: [{ id: 'u1', userName: 'lin', nickName: 'Lin' }], total: 1 }),
    alertAcknowledge: async ({ body }: Change) => answer(server.handled('acknowledge', body)),
    alertResolve: async ({ body }: Change) => answer(server.handled('resolve', body)),
    alertAssign: async ({ body }: Change) => answer(server.handled('assign', body)),
    alertAddMute: async ({ body }: Change) => answer(server.handled('mute', body)),
    alertSetStatus: async ({ body }: Change) => {
      server.alerts = server.alerts.map((alert) =>
        !body.id || ('id' in alert && alert.id === body.id) ? { ...alert, status: 1 } : alert,
      );
      return answer(1);
    },
    alertSave: async (request: unknown) => answer(server.save(request) ?? 1),
    selectionListCustomers: async () => answer([{ customerid: 'k1', name: 'warehouse' }]),
  };
});

const user = { userType: '3', clientRemote: false } as UserRecord;

function alert(id: string, level: number) {
  return {
    id,
    level,
    kind: 'table-failed',
    content: `alert ${id}`,
    customerId: 'k1',
    clientType: 'client',
    customerName: 'warehouse',
    reason: { code: 'x', text: `reason ${id}`, remedy: '', facts: {} },
    remedy: '',
    status: 0,
    recordTime: '2026-01-01T00:00:00Z',
    updateTime: '2026-01-01T00:00:00Z',
    recoveredTime: null,
    open: true,
    acknowledgedTime: null,
    acknowledgedBy: null,
    resolvedTime: null,
    resolvedBy: null,
    assigneeId: null,
    assigneeName: null,
    kindName: 'Table stopped',
    objectName: 'orders link',
    mutedUntil: null,
    muted: false,
    linkId: 'l1',
    taskId: 't1',
  };
}

beforeEach(() => {
  server.save.mockReset();
  server.handled.mockReset();
  server.operations = ['view', 'operate'];
  server.alerts = [alert('one', 3), alert('two', 1)];
});

it('shows how many are unread, and moves what is read to the history', async () => {
  await renderInFrame(<AlertBell user={user} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Alerts, 2 unread' }));
  const entry = (await screen.findByText('alert one')).closest('li') as HTMLElement;
  expect(within(entry).getByText('Important')).toBeInTheDocument();
  expect(within(entry).getByText('reason one')).toBeInTheDocument();
  expect(within(entry).getByRole('link', { name: 'Go there' })).toHaveAttribute(
    'href',
    '/sync-task-config/t1',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Mark as read: alert one' }));
  await waitFor(() => expect(screen.queryByText('alert one')).not.toBeInTheDocument());
  expect(await screen.findByRole('tab', { name: 'Unread (1)' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('tab', { name: 'History' }));
  expect(await screen.findByText('alert one')).toBeVisible();
});

it('a message needs a subscriber and a text', async () => {
  await renderInFrame(<AlertBell user={user} />);
  await userEvent.click(await screen.findByRole('button', { name: /unread/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Deliver message' }));
  // The kit gives every title the same id in tests, so a dialog cannot be found by its name.
  const title = await screen.findByText('Message delivery');
  const dialog = title.closest('[role=dialog]') as HTMLElement;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deliver' }));
  expect(await within(dialog).findByText('Choose at least one subscriber')).toBeInTheDocument();
  expect(within(dialog).getByText('Enter the message')).toBeInTheDocument();
  await userEvent.click(within(dialog).getByLabelText('Message'));
  await userEvent.paste('Maintenance at ten');
  await userEvent.click(within(dialog).getByRole('combobox'));
  await userEvent.click(await screen.findByTitle('warehouse'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Deliver' }));
  const body = { content: 'Maintenance at ten', customerList: ['k1'] };
  await waitFor(() => expect(server.save).toHaveBeenCalledWith(expect.objectContaining({ body })));
});

it.each([
  { userType: '1', clientRemote: false },
  { userType: '3', clientRemote: true },
])('%j may not deliver messages', async (other) => {
  await renderInFrame(<AlertBell user={other as UserRecord} />);
  await userEvent.click(await screen.findByRole('button', { name: /unread/ }));
  await screen.findByText('alert one');
  expect(screen.queryByRole('button', { name: 'Deliver message' })).not.toBeInTheDocument();
});

it('an open alert is acknowledged, assigned, and muted with its like', async () => {
  await renderInFrame(<AlertBell user={user} />);
  await userEvent.click(await screen.findByRole('button', { name: /unread/ }));
  await userEvent.click(await screen.findByRole('tab', { name: 'Open' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge: alert one' }));
  await waitFor(() => expect(server.handled).toHaveBeenCalledWith('acknowledge', { id: 'one' }));
  await userEvent.click(screen.getByRole('button', { name: 'Mark as resolved: alert one' }));
  await waitFor(() => expect(server.handled).toHaveBeenCalledWith('resolve', { id: 'one' }));

  await userEvent.click(screen.getByRole('button', { name: 'Assign: alert one' }));
  const assigning = (await screen.findByText('Assign alert')).closest('[role=dialog]') as HTMLElement;
  await userEvent.click(within(assigning).getByRole('combobox'));
  await userEvent.click(await screen.findByTitle('lin (Lin)'));
  await userEvent.click(within(assigning).getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(server.handled).toHaveBeenCalledWith('assign', { id: 'one', userId: 'u1' }));

  await userEvent.click(screen.getByRole('button', { name: 'Mute: alert one' }));
  const muting = (await screen.findByText('Mute alerts')).closest('[role=dialog]') as HTMLElement;
  await userEvent.click(within(muting).getByRole('radio', { name: 'Everything about orders link' }));
  await userEvent.click(within(muting).getByRole('radio', { name: 'Other' }));
  await userEvent.click(within(muting).getByRole('button', { name: 'Mute' }));
  expect(await within(muting).findByText('Choose when it ends')).toBeInTheDocument();
  await userEvent.click(within(muting).getByRole('radio', { name: '1 hour' }));
  await userEvent.click(within(muting).getByRole('button', { name: 'Mute' }));
  await waitFor(() => expect(server.handled).toHaveBeenLastCalledWith('mute', expect.anything()));
  const [, mute] = server.handled.mock.lastCall as [string, { scope: string; until: string }];
  expect(mute.scope).toBe('object');
  expect(Math.abs(Date.parse(mute.until) - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

it('says who handles an alert and that it is muted, and hides what the viewer may not do', async () => {
  server.operations = ['view'];
  const at = '2026-01-01T00:00:00Z';
  const handled = {
    status: 1,
    acknowledgedTime: at,
    acknowledgedBy: 'lin',
    resolvedTime: at,
    resolvedBy: 'lin',
    assigneeName: 'wang',
    mutedUntil: at,
  };
  server.alerts = [
    { ...alert('one', 3), ...handled },
    { ...alert('two', 1), status: 1, muted: true },
  ];
  await renderInFrame(<AlertBell user={user} />);
  await userEvent.click(await screen.findByRole('button', { name: /unread/ }));
  await userEvent.click(await screen.findByRole('tab', { name: 'Open' }));
  const entry = (await screen.findByText('alert one')).closest('li') as HTMLElement;
  expect(within(entry).getByText(/Acknowledged by lin/)).toBeInTheDocument();
  expect(within(entry).getByText(/Marked as resolved by lin/)).toHaveTextContent('not yet measured');
  expect(within(entry).getByText(/Assigned to wang/)).toBeInTheDocument();
  expect(within(entry).getByText(/Muted until/)).toBeInTheDocument();
  expect(within(entry).queryByRole('button', { name: /Acknowledge/ })).not.toBeInTheDocument();
  expect(screen.getByText(/Raised while muted/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^(Assign|Mute):/ })).not.toBeInTheDocument();
  await userEvent.click(screen.getByText('Assigned to me'));
  expect(await screen.findByText('No open alerts')).toBeInTheDocument();
});

it('the drawer of alerts takes 60 percent of the window', async () => {
  await renderInFrame(<AlertBell user={user} />);
  await userEvent.click(await screen.findByRole('button', { name: /unread/ }));
  await screen.findByText('alert one');
  expect(document.querySelector('.ant-drawer-content-wrapper')).toHaveStyle({ width: '60%' });
});

it('levels of alerts have their colours', async () => {
  server.alerts = [alert('grey', 0), alert('orange', 1), alert('red', 3)];
  await renderInFrame(<AlertBell user={user} />);
  await userEvent.click(await screen.findByRole('button', { name: /unread/ }));
  await screen.findByText('alert grey');
  const levels = [...document.querySelectorAll<HTMLElement>('.alert-level')].map(
    ({ dataset, textContent }) => [dataset.level, textContent],
  );
  expect(levels).toEqual([
    ['general', 'General'],
    ['attention', 'Attention'],
    ['important', 'Important'],
  ]);
  const styles = readFileSync(join(import.meta.dirname, 'alert.css'), 'utf8');
  expect(styles).toMatch(/\.alert-level \{\s+color: var\(--quiet-text\)/);
  expect(styles).toMatch(/level="attention"\] \{\s+color: var\(--warning-text\)/);
  expect(styles).toMatch(/level="important"\] \{\s+color: var\(--error\)/);
});

it('the unread alerts are counted while a user is signed in, again at the countdown of the system', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const bell = await renderInFrame(<AlertBell user={user} />);
  await screen.findByRole('button', { name: 'Alerts, 2 unread' });
  server.alerts = [];
  await act(() => vi.advanceTimersByTimeAsync(10_100));
  expect(await screen.findByRole('button', { name: 'Alerts, 0 unread' })).toBeInTheDocument();
  bell.unmount();
  server.alerts = [alert('one', 3)];
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
});

it('the badge shows at most 99', async () => {
  server.alerts = Array.from({ length: 99 }, (_, index) => alert(`${index}`, 0));
  const bell = await renderInFrame(<AlertBell user={user} />);
  expect(await screen.findByText('99')).toBeInTheDocument();
  bell.unmount();
  server.alerts = [...server.alerts, alert('one more', 0)];
  await renderInFrame(<AlertBell user={user} />);
  expect(await screen.findByText('99+')).toBeInTheDocument();
});
