import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front, rowOf } from './wizard';

const SOURCE = `
  create table accounts (id int primary key, balance int not null);
  create table entries (id int primary key, amount int not null);
  insert into accounts select n, n from generate_series(1, 1000) n;
  insert into entries select n, n from generate_series(1, 1000) n;`;

test('a link is paused and resumed; one table is suspended, resumed and loaded again', async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'steering_source');
  const target = await databases.create('postgresql', 'steering_target');
  await databases.execute('postgresql', source, SOURCE);
  const { kind, host, port, user, password } = server;
  const place = (database: string) => ({ kind, host, port, user, password, database });
  const tables = ['public.*'];
  await platform.applyLink({
    link: 'steering',
    source: place(source),
    target: place(target),
    tables,
    clean: 'drop',
  });
  await signIn(page, platform, '/sync-task');
  await test.step('the list of tasks finds it, pauses it and resumes it', async () => {
    const task = (state: string) => rowOf(page, 'steering').locator(`[data-state=${state}]`);
    await front(page).getByRole('searchbox', { name: '任务名称' }).fill('steer');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/search=steer/);
    await expect(task('incremental-running')).toBeVisible({ timeout: 60_000 });
    await rowOf(page, 'steering').getByRole('button', { name: '暂停 steering' }).click();
    await expect(task('suspended')).toBeVisible({ timeout: 60_000 });
    await rowOf(page, 'steering').getByRole('button', { name: '恢复 steering' }).click();
    await expect(task('incremental-running')).toBeVisible({ timeout: 60_000 });
  });
  await page.getByRole('link', { name: 'steering' }).click();
  await page.waitForURL(/\/zcbus\/sync-task-config\//);
  const head = front(page).locator('.page-head');
  const stateOf = (table: string, state: string) => rowOf(page, table).locator(`[data-state=${state}]`);
  const balance = (id: number) =>
    databases.rows('postgresql', target, `select balance from accounts where id = ${id}`);
  await expect(stateOf('public.accounts', 'incremental-running')).toBeVisible({ timeout: 60_000 });
  await expect(head.locator('[data-state=incremental-running]')).toBeVisible();

  await test.step('paused: changes wait', async () => {
    await head.getByRole('button', { name: '暂停' }).click();
    await expect(head.locator('[data-state=suspended]')).toBeVisible({ timeout: 30_000 });
    await databases.execute('postgresql', source, 'update accounts set balance = -1 where id = 1');
    expect(await balance(1)).toEqual([[1]]);
  });

  await test.step('resumed: they arrive', async () => {
    await head.getByRole('button', { name: '恢复' }).click();
    await expect(head.locator('[data-state=incremental-running]')).toBeVisible({ timeout: 30_000 });
    await expect.poll(() => balance(1), { timeout: 30_000 }).toEqual([[-1]]);
  });

  await test.step('one table is suspended while the other continues', async () => {
    await rowOf(page, 'public.entries').getByRole('button', { name: '暂停 public.entries' }).click();
    await expect(stateOf('public.entries', 'suspended')).toBeVisible({ timeout: 30_000 });
    await databases.execute(
      'postgresql',
      source,
      'update entries set amount = -1 where id = 1; update accounts set balance = -2 where id = 2;',
    );
    await expect.poll(() => balance(2), { timeout: 30_000 }).toEqual([[-2]]);
    const amount = 'select amount from entries where id = 1';
    expect(await databases.rows('postgresql', target, amount)).toEqual([[1]]);
    await rowOf(page, 'public.entries').getByRole('button', { name: '恢复 public.entries' }).click();
    await expect(stateOf('public.entries', 'incremental-running')).toBeVisible({ timeout: 30_000 });
    await expect
      .poll(() => databases.rows('postgresql', target, amount), { timeout: 30_000 })
      .toEqual([[-1]]);
  });

  await test.step('rows that the target refuses are shown by cause, changed and retried, skipped', async () => {
    const check = 'alter table accounts add constraint small check (balance < 9000)';
    await databases.execute('postgresql', target, check);
    const refused =
      'update accounts set balance = 9999 where id in (10, 11); update accounts set balance = -3 where id = 3';
    await databases.execute('postgresql', source, refused);
    // All others flow.
    await expect.poll(() => balance(3), { timeout: 30_000 }).toEqual([[-3]]);
    await rowOf(page, 'public.accounts')
      .getByRole('button', { name: /2 个未解决异常行/ })
      .click({ timeout: 30_000 });
    await expect(page).toHaveURL(/tab=errors/);
    await front(page)
      .getByRole('button', { name: /"small"/ })
      .click();
    await expect(rowOf(page, 'id=10').locator('[data-state=not-processed]')).toBeVisible();
    await expectAccessible(page);
    await rowOf(page, 'id=10').getByRole('button', { name: '详情' }).click();
    const drawer = page.getByRole('dialog', { name: /异常行/ });
    await expect(drawer.getByText(/violates check constraint/).first()).toBeVisible();
    await drawer.getByRole('button', { name: '修改后重试' }).click();
    await drawer.getByLabel('balance 的新值').fill('7');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '修改后重试' }).click();
    await expect.poll(() => balance(10), { timeout: 30_000 }).toEqual([[7]]);
    await expect(rowOf(page, 'id=10')).toBeHidden({ timeout: 30_000 });
    await rowOf(page, 'id=11').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '跳过' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: '跳过' }).click();
    await expect(front(page).getByText('没有符合条件的异常行')).toBeVisible({ timeout: 30_000 });
    expect(await balance(11)).toEqual([[11]]);
    await front(page).getByRole('tab', { name: '表', exact: true }).click();
  });

  await test.step('a failed table shows in the head, though the other runs on', async () => {
    await databases.execute(
      'postgresql',
      source,
      'alter table entries add column note text; update entries set amount = 7 where id = 7',
    );
    await expect(front(page).getByText('1 张表出错，其余表照常运行')).toBeVisible({ timeout: 30_000 });
    const mark = head.locator('[data-state=incremental-running]');
    await expect(mark).toHaveAttribute('data-look', 'warning');
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/head.png` });
    await page.goto(`${platform.url}/zcbus/home`);
    await expect(front(page).getByText('增量运行中，有异常')).toBeVisible({ timeout: 30_000 });
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/home.png` });
    await page.goBack();
  });

  await test.step('a table is loaded again', async () => {
    await databases.execute('postgresql', target, 'delete from entries where id > 500');
    await rowOf(page, 'public.entries').getByRole('button', { name: '启动全量 public.entries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '启动全量' }).click();
    await expect
      .poll(() => databases.rows('postgresql', target, 'select count(*) from entries'), { timeout: 60_000 })
      .toEqual([[1000]]);
    await expect(stateOf('public.entries', 'incremental-running')).toBeVisible({ timeout: 30_000 });
  });

  await test.step('a table that the source got is found and taken in', async () => {
    const made = 'create table refunds (id int primary key); insert into refunds values (1), (2)';
    await databases.execute('postgresql', source, made);
    await front(page).getByRole('button', { name: '新增表…' }).click();
    const dialog = page.getByRole('dialog', { name: '源端新增的表' });
    await dialog.getByRole('button', { name: '全部' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '加入 1 张表' }).click();
    await expect(stateOf('public.refunds', 'incremental-running')).toBeVisible({ timeout: 60_000 });
    expect(await databases.rows('postgresql', target, 'select count(*) from refunds')).toEqual([[2]]);
  });

  await test.step('the source’s log is gone: the gap is shown, and accepted', async () => {
    await head.getByRole('button', { name: '停止' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '停止' }).click();
    await expect(head.locator('[data-state=stopped]')).toBeVisible({ timeout: 30_000 });
    await databases.execute(
      'postgresql',
      source,
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = current_database();
       update accounts set balance = -20 where id = 20`,
    );
    await head.getByRole('button', { name: '启动' }).click();
    await expect(stateOf('public.accounts', 'full-info-expired')).toBeVisible({ timeout: 60_000 });
    await rowOf(page, 'public.accounts')
      .getByRole('button', { name: /为什么处于此状态/ })
      .click();
    const why = page.getByRole('dialog', { name: 'public.accounts' });
    await expect(why.getByRole('button', { name: '接受缺口并继续' })).toBeVisible();
    await expectAccessible(page);
    await why.getByRole('button', { name: '全部表接受缺口' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '全部表接受缺口' }).click();
    for (const table of ['public.accounts', 'public.entries', 'public.refunds']) {
      await expect(stateOf(table, 'incremental-running')).toBeVisible({ timeout: 60_000 });
    }
    await databases.execute('postgresql', source, 'update accounts set balance = -21 where id = 21');
    await expect.poll(() => balance(21), { timeout: 30_000 }).toEqual([[-21]]);
    expect(await balance(20)).toEqual([[20]]);
  });

  await test.step('the configuration holds no password, and both connections can be tested', async () => {
    await front(page).getByRole('button', { name: '查看同步链路' }).click();
    await front(page).getByRole('tab', { name: '配置' }).click();
    await expect(page).toHaveURL(/tab=configuration/);
    await expect(front(page).locator('.sync-file')).toContainText('link: steering');
    await expect(front(page).locator('.sync-file')).not.toContainText(server.password);
    await front(page).getByRole('button', { name: '测试连接' }).first().click();
    const dialog = page.getByRole('dialog', { name: '连接测试' });
    await expect(dialog.getByRole('cell', { name: '成功' }).first()).toBeVisible();
    await dialog.getByRole('button', { name: '关闭' }).last().click();
    await front(page).getByRole('tab', { name: '服务' }).click();
    await expect(front(page).locator('[data-state=started], [data-state=normal]')).toHaveCount(2);
  });

  await test.step('one of its services is stopped and started by itself', async () => {
    await page.getByRole('menuitem', { name: '系统设置' }).click();
    await page.getByRole('menuitem', { name: '服务管理' }).click();
    const service = front(page).getByRole('row').filter({ hasText: 'steering' }).filter({ hasText: '订阅' });
    await expect(service.locator('[data-state=normal]')).toBeVisible({ timeout: 30_000 });
    await expect(service.getByRole('button', { name: '启动', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expectAccessible(page);
    await service.getByRole('checkbox').check();
    await front(page).locator('.table-bar').getByRole('button', { name: '停止' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '停止' }).click();
    await expect(service.locator('[data-state=stopped]')).toBeVisible({ timeout: 30_000 });
    await databases.execute('postgresql', source, 'update accounts set balance = -5 where id = 5');
    await switchLanguage(page, 'en');
    const inEnglish = page.getByRole('row').filter({ hasText: 'steering' }).filter({ hasText: 'Subscribe' });
    await expect(inEnglish.getByText('Stopped')).toBeVisible();
    expect(await balance(5)).toEqual([[5]]);
    await inEnglish.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(inEnglish.getByText('Status normal')).toBeVisible({ timeout: 30_000 });
    await expect.poll(() => balance(5), { timeout: 30_000 }).toEqual([[-5]]);
    await switchLanguage(page, 'zh');
    await service.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: '跳转' }).click();
    await expect(front(page).locator('.page-head [data-state=incremental-running]')).toBeVisible({
      timeout: 30_000,
    });
  });

  await test.step('a table is compared with its source, and what differs is repaired', async () => {
    const link = page.url();
    await databases.execute(
      'postgresql',
      target,
      'update entries set amount = 77 where id = 7; delete from entries where id = 8;',
    );
    await page.goto(`${platform.url}/zcbus/subscribe/data-sheet`);
    await rowOf(page, 'public.entries').getByRole('button', { name: '未比对' }).click();
    const drawer = page.getByRole('dialog', { name: 'public.entries 的数据比对' });
    await drawer.getByRole('button', { name: '比对', exact: true }).click();
    await expect(drawer.getByRole('row', { name: /内容不同/ })).toContainText('77', { timeout: 60_000 });
    await expect(drawer.getByRole('row', { name: /目标缺少/ })).toBeVisible();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '查看修复 SQL' }).click();
    const sql = page.getByRole('dialog', { name: 'public.entries 的修复 SQL' });
    await expect(sql).toContainText('2 条语句', { timeout: 60_000 });
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/repair-sql-zh.png` });
    await sql.getByRole('button', { name: '修复', exact: true }).click();
    await page
      .getByRole('dialog', { name: /修复 1 张表的差异/ })
      .getByRole('button', { name: '修复' })
      .click();
    await expect(drawer.getByText('没有差异')).toBeVisible({ timeout: 60_000 });
    const repaired = 'select id, amount from entries where id in (7, 8) order by id';
    expect(await databases.rows('postgresql', target, repaired)).toEqual([
      [7, 7],
      [8, 8],
    ]);
    await page.goto(link);
    await expect(front(page).locator('.page-head [data-state=incremental-running]')).toBeVisible({
      timeout: 30_000,
    });
  });

  await test.step('stopped and deleted; the target’s data stays', async () => {
    await front(page).getByRole('button', { name: '停止' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '停止' }).click();
    await expect(front(page).locator('.page-head [data-state=stopped]')).toBeVisible({ timeout: 30_000 });
    await head.getByRole('button', { name: '删除' }).click();
    await expect(page.getByRole('dialog')).toContainText(target);
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await expect(page).toHaveURL(/\/zcbus\/sync-link$/);
    await expect(front(page).getByRole('link', { name: 'steering' })).toBeHidden();
    expect(await databases.rows('postgresql', target, 'select count(*) from accounts')).toEqual([[1000]]);
  });
});
