import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { MasterRecord, SheetRecord } from '@/shared/api';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import ChannelDrawer from './channel-drawer';
import CleanDrawer from './clean-drawer';
import MasterDrawer from './master-drawer';
import RebalanceDialog from './rebalance-dialog';
import RenameDrawer from './rename-drawer';
import TableDrawer from './table-drawer';
import TransferDialog from './transfer-dialog';
import { useReportResults } from './use-report-results';

/** What the forms would send, and what the server would answer. */
const server = vi.hoisted(() => ({
  sent: vi.fn(),
  refusal: undefined as object | undefined,
  granted: ['view', 'edit'],
  plan: { consequence: 'none', shadowTable: false },
}));

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  const ask = async (request: unknown) => {
    server.sent(request);
    return server.refusal ? { data: server.refusal, response: new Response() } : answer([{ done: true }]);
  };
  const channels = [{ id: 'c2', name: 'second' }];
  return {
    ...(await original<object>()),
    menuGrantedTree: async () => answer([{ menuKey: 'subscribe', operations: server.granted, children: [] }]),
    subscribeAddMaster: ask,
    subscribeAddChannel: ask,
    subscribeEditCustomer: ask,
    subscribeEditSubscription: ask,
    subscribePreviewEdit: async () => answer(server.plan),
    subscribeSetCleaning: ask,
    subscribePreviewRebalance: ask,
    subscribeTransferTables: ask,
    subscribePageChannels: async () => answer({ records: channels, total: 1 }),
    subscribePageCustomers: async () => answer({ records: [], total: 0 }),
    subscribePageDatabases: async () => answer({ records: [], total: 0 }),
    selectionListMembers: async () => answer([]),
  };
});

const table = {
  id: 't1',
  source: 'public.orders',
  target: 'copy.orders',
  controlId: 'm1',
  linkId: null,
  columns: [],
  load: 'full',
  clean: 'none',
  ddl: 'stop',
  where: '',
  targetWhere: '',
} as unknown as SheetRecord;
const master = { id: 'm1', name: 'main' } as MasterRecord;
const onClose = vi.fn();

/** Drawn as soon as its words are there. */
async function draw(...part: Parameters<typeof renderInFrame>) {
  await renderInFrame(...part);
  await screen.findAllByRole('button');
}

beforeEach(() => {
  server.sent.mockReset();
  server.refusal = undefined;
  server.granted = ['view', 'edit'];
  server.plan = { consequence: 'none', shadowTable: false };
  onClose.mockReset();
  useNotices.setState({ waiting: [] });
});

async function fill(label: string, text: string) {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  await userEvent.click(field);
  await userEvent.paste(text);
}

async function save(name: 'Save' | '保存' = 'Save') {
  await userEvent.click(screen.getByRole('button', { name: name === 'Save' ? name : /保\s*存/ }));
}

async function expectFaults(...faults: readonly string[]) {
  for (const fault of faults) expect(await screen.findByText(fault)).toBeInTheDocument();
  expect(server.sent).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
}

it('a master needs a name, a subscriber, a target and a node, and keeps to the limits', async () => {
  await draw(<MasterDrawer onClose={onClose} />);
  await fill('Target schema', 'x'.repeat(129));
  await fill('Channels', '65');
  await fill('Load threads', '101');
  await save();
  await expectFaults(
    'Master name must not be empty',
    'Choose a subscriber',
    'Choose a target',
    'Choose a publish node',
    'Target schema name incorrect, length 0-128',
    'Channels must be a number from 1 to 64',
    'Thread count must be a number from 1 to 100',
  );
});

it('says the same in Chinese', async () => {
  await draw(<MasterDrawer onClose={onClose} />, { locale: 'zh' });
  await fill('目标模式名', 'x'.repeat(129));
  await fill('装载线程数', '101');
  await save('保存');
  await expectFaults(
    '主控名称不能为空',
    '请选择订阅者',
    '请选择目标库',
    '请选择发布节点',
    '目标模式名称不正确，长度 0-128',
    '线程数不能为空，须为 1 至 100 的数字',
  );
});

it.each(['', 'many', '101', '0', '2.5'])(
  'a channel does not take %j as its thread count',
  async (threads) => {
    await draw(<ChannelDrawer master={master} onClose={onClose} />);
    await fill('Channel', 'main-2');
    if (threads === '') await userEvent.clear(screen.getByLabelText('Load threads'));
    else await fill('Load threads', threads);
    await save();
    await expectFaults('Thread count must be a number from 1 to 100');
  },
);

it.each([
  [' orders', 'No blanks around it, and nothing that cannot be seen'],
  ['a\u200bb', 'No blanks around it, and nothing that cannot be seen'],
  ['  ', 'Name must not be empty'],
])('a name is refused where it is %j', async (name, fault) => {
  await draw(<RenameDrawer customer={{ id: 'k1', name: 'branch' }} onClose={onClose} />);
  await fill('Name', name);
  await save();
  await expectFaults(fault);
});

it('shows at its field that there is a channel of that name already', async () => {
  const message = 'A channel named main exists';
  server.refusal = { code: 60101, message, data: { fields: [{ field: 'name', reason: message }] } };
  await draw(<ChannelDrawer master={master} onClose={onClose} />);
  await fill('Channel', 'main');
  await save();
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(onClose).not.toHaveBeenCalled();
  expect(useNotices.getState().waiting).toEqual([]);
});

it('shows faults without a field next to the form', async () => {
  const message = 'Steered by sync link shop: do it there';
  server.refusal = { code: 300, message, data: {} };
  await draw(<ChannelDrawer master={master} onClose={onClose} />);
  await fill('Channel', 'main');
  await save();
  await waitFor(() =>
    expect(useNotices.getState().waiting).toMatchObject([
      { kind: 'error', text: `Submit failed: ${message}` },
    ]),
  );
});

it('names of targets have at most 128 characters, and columns are whole', async () => {
  await draw(<TableDrawer table={table} onClose={onClose} />);
  await screen.findByRole('button', { name: 'Save' });
  await fill('Target table', 'x'.repeat(129));
  await fill('Columns', 'id,name=');
  await save();
  await expectFaults(
    'Target table name incorrect, length 0-128',
    'A name is missing, or two columns have the same target',
  );
});

it('settings are only shown to those who may not change them', async () => {
  server.granted = ['view'];
  await draw(<TableDrawer table={table} onClose={onClose} />);
  expect(await screen.findByLabelText('Target table')).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

it('columns are taken with commas, and a target of 128 characters or none is right', async () => {
  await draw(<TableDrawer table={table} onClose={onClose} />);
  await screen.findByRole('button', { name: 'Save' });
  await fill('Target table', 'x'.repeat(128));
  await userEvent.clear(screen.getByLabelText('Target schema'));
  await fill('Columns', 'id, name=title');
  await save();
  const body = expect.objectContaining({
    targetSchema: '',
    targetTable: 'x'.repeat(128),
    columns: { id: 'id', name: 'title' },
  });
  await waitFor(() => expect(server.sent).toHaveBeenCalledWith({ body }));
});

it.each([
  ['reload', true, 'Readers see the present rows', 'Change and load again'],
  ['reload', false, 'Readers may find rows missing', 'Change and load again'],
  ['continue', false, 'rows that are in the target stay as they are', 'Change'],
])('settings are changed (%s) when that is agreed to', async (consequence, shadowTable, said, action) => {
  server.plan = { consequence, shadowTable };
  await draw(<TableDrawer table={table} onClose={onClose} />);
  await screen.findByRole('button', { name: 'Save' });
  await fill('Source condition', 'id > 7');
  await save();
  const question = (await screen.findByText(new RegExp(said))).closest('.ant-modal') as HTMLElement;
  await userEvent.click(within(question).getByRole('button', { name: action }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.sent).toHaveBeenCalledTimes(1);
});

it('settings stay as they are when their consequence is declined', async () => {
  server.plan = { consequence: 'reload', shadowTable: true };
  await draw(<TableDrawer table={table} onClose={onClose} />);
  await screen.findByRole('button', { name: 'Save' });
  await save();
  const question = (await screen.findByText(/a full load begins/)).closest('.ant-modal') as HTMLElement;
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(server.sent).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});

it('a transfer needs its target channel', async () => {
  await draw(<TransferDialog tables={[table]} onResults={vi.fn()} onClose={onClose} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Move 0 tables' }));
  expect(await screen.findAllByText('Choose the target channel')).toHaveLength(2);
  expect(server.sent).not.toHaveBeenCalled();
});

it('limits of a rebalance stand on their side of the mean', async () => {
  await draw(<RebalanceDialog master={master} onResults={vi.fn()} onClose={onClose} />);
  await fill('Lower limit (% of the mean)', '101');
  await fill('Upper limit (% of the mean)', '99');
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }));
  await expectFaults('A whole number from 0 to 100', 'A whole number from 100 to 10000');
});

it.each([
  ['stop', 'ignore', 'DDL filtering enabled for 1 table'],
  ['ignore', 'follow', 'DDL filtering closed for 1 table'],
  ['stop', 'follow', '1 table set'],
])('changes of structure: from %s to %s it says "%s"', async (before, after, said) => {
  await draw(<CleanDrawer tables={[{ ...table, ddl: before as SheetRecord['ddl'] }]} onClose={onClose} />);
  await userEvent.click(screen.getByRole('combobox', { name: 'Changes of structure' }));
  const named = { ignore: 'Ignore', follow: 'Follow', stop: 'Stop' }[after] as string;
  await userEvent.click(await screen.findByTitle(new RegExp(named)));
  await save();
  await waitFor(() => expect(useNotices.getState().waiting).toMatchObject([{ kind: 'success', text: said }]));
});

it('the form of a master has the specified fields', async () => {
  await draw(<MasterDrawer onClose={onClose} />);
  const fields = [
    ...['Master name', 'Target type', 'Target', 'Load type', 'Start full', 'Target schema'],
    ...['Prefix', 'Suffix', 'Case of names', 'Channels'],
  ];
  for (const field of fields) expect(screen.getAllByLabelText(field)[0], field).toBeInTheDocument();
  await userEvent.click(screen.getByLabelText('Case of names'));
  for (const name of ['Default', 'Upper', 'Lower'])
    expect((await screen.findAllByText(name))[0]).toBeInTheDocument();
});

function Reported() {
  const report = useReportResults({ onResults: vi.fn() });
  return (
    <button type="button" onClick={() => report([{ done: true } as never])}>
      report
    </button>
  );
}

it('a transfer that was asked for is reported', async () => {
  await draw(<Reported />);
  await userEvent.click(screen.getByRole('button', { name: 'report' }));
  expect(useNotices.getState().waiting).toMatchObject([
    { kind: 'success', text: 'Channel transfer successful: 1 table' },
  ]);
});
