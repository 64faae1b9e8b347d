import { expect, expectAccessible, signIn, test } from '../support/fixtures';
import { front, rowOf } from './wizard';

const SLOW = { timeout: 60_000 };

test('publishing a table is stopped; its subscriber is notified, loads it again, and it is published again', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(240_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'stopped_source');
  const target = await databases.create('postgresql', 'stopped_target');
  await databases.execute(
    'postgresql',
    source,
    'create table noisy (id int primary key); create table quiet (id int primary key); insert into noisy values (1);',
  );
  const server = { kind, host, port, user, password };
  const nodeMaster = await platform.call<string>('publish/node/add', {
    name: 'stopping',
    connection: { ...server, database: source },
  });
  const tables = ['noisy', 'quiet'].map((table) => ({ schema: 'public', table }));
  const added = await platform.call<{ id: string }[]>('publish/table/add', { nodeMaster, tables });
  const customerId = await platform.call<string>('subscribe/customer/add', {
    name: 'stopping',
    connection: { ...server, database: target },
  });
  const { records } = await platform.call<{ records: { id: string }[] }>('subscribe/database/page', {
    customerId,
  });
  const controlId = await platform.call('subscribe/control/add', {
    name: 'stopping',
    customerId,
    databaseId: records[0]?.id,
    nodeMaster,
    clean: 'drop',
  });
  await platform.call('subscribe/table/add', { controlId, tables: added.map(({ id }) => id) });
  const state = (table: string, wanted: string) =>
    rowOf(page, table).locator(`[data-state=${wanted}]`).first();

  await test.step('the table is chosen and stopped at its publish node', async () => {
    await signIn(page, platform, `/publishsubdetail/postgresql/${nodeMaster}`);
    await expect(state('noisy', 'incremental-release')).toBeVisible(SLOW);
    await rowOf(page, 'noisy').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '停止', exact: true }).last().click();
    const dialog = page.getByRole('dialog', { name: '停止发布 1 张表？' });
    await expect(dialog).toContainText('变更不再捕获');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '停止', exact: true }).click();
    await expect(state('noisy', 'publish-stopped')).toBeVisible(SLOW);
    await expect(state('quiet', 'incremental-release')).toBeVisible(SLOW);
    await expectAccessible(page);
  });

  await test.step('its subscription says why it stands still, and is loaded again', async () => {
    await databases.execute('postgresql', source, 'insert into noisy values (2)');
    await page.goto(`${platform.url}/zcbus/subscribe/data-sheet`);
    await expect(state('public.noisy', 'full-info-expired')).toBeVisible(SLOW);
    await state('public.noisy', 'full-info-expired').hover();
    await expect(page.getByRole('tooltip')).toContainText('已停止发布');
    await rowOf(page, 'public.noisy')
      .getByRole('button', { name: /启动全量/ })
      .click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /启动全量/ })
      .click();
    await expect(state('public.noisy', 'incremental-running')).toBeVisible(SLOW);
    const rows = () => databases.rows('postgresql', target, 'select count(*) from noisy');
    await expect.poll(async () => String((await rows())[0]), SLOW).toEqual('2');
  });
});
