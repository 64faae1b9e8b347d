import { expect, expectAccessible, signIn, test, useLanguage } from '../support/fixtures';
import { cellOf, fillConnection, front, rowOf, typeConnection } from './wizard';

test('a wrong password shows the check that failed, and the next step stays shut', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  const server = await databases.start('postgresql');
  const database = await databases.create('postgresql', 'test_source');
  await signIn(page, platform, '/sync-link/new');
  await fillConnection(page, { server, database, password: 'not-the-password' });
  await page.getByRole('button', { name: '测试连接' }).click();
  const dialog = page.getByRole('dialog', { name: '连接测试失败' });
  const failed = dialog.locator('tr[data-status=failed]');
  await expect(failed).toHaveCount(1);
  await expect(failed.getByRole('cell', { name: '失败' })).toBeVisible();
  await expect(failed).toContainText('解决办法');
  await expect(dialog).not.toContainText('not-the-password');
  await expect(dialog.getByRole('button', { name: '下一步' })).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: '下一步' })).toBeHidden();

  await page.getByLabel('密码', { exact: true }).fill(server.password);
  await page.getByLabel('密码', { exact: true }).press('Enter');
  const passed = page.getByRole('dialog', { name: '连接测试' });
  await expect(passed.getByRole('button', { name: '下一步' })).toBeVisible();
  await expect(passed.locator('tr[data-status=failed]')).toHaveCount(0);
});

test('empty and wrong fields are named before anything is asked', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await signIn(page, platform, '/sync-link/new');
  await page.getByRole('button', { name: '选择数据源类型' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'MySQL / MariaDB' }).click();
  await page.getByLabel('端口').fill('70000');
  await page.getByRole('button', { name: '测试连接' }).click();
  for (const text of ['主机不能为空', '端口须为 1–65535 的整数', '用户名不能为空', '数据库不能为空'])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('switching the language keeps what was filled in, but not the password', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await useLanguage(page, 'zh');
  await signIn(page, platform, '/sync-link/new');
  await page.getByRole('button', { name: '选择数据源类型' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'PostgreSQL' }).click();
  await page.getByLabel('主机').fill('db.example.org');
  await page.getByLabel('密码', { exact: true }).fill('kept-nowhere');
  await page.getByRole('button', { name: '切换语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await expect(page.getByRole('heading', { name: 'Which database to read from' })).toBeVisible();
  await expect(page.getByLabel('Host')).toHaveValue('db.example.org');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain('kept-nowhere');
  await expectAccessible(page);
});

test('a publish node is made without a link: tables are added, published again, given a key, withdrawn', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(240_000);
  const server = await databases.start('postgresql');
  const database = await databases.create('postgresql', 'publish_source');
  await databases.execute(
    'postgresql',
    database,
    `create table goods (id int primary key, name text);
     create table notes (line text not null, said text);
     insert into goods select n, 'good ' || n from generate_series(1, 500) n;
     insert into notes values ('a', 'one'), ('b', 'two');`,
  );
  await signIn(page, platform, '/publish');
  const state = (table: string, wanted: string) => rowOf(page, table).locator(`[data-state=${wanted}]`);

  await test.step('the node is made after its connection passed the test', async () => {
    await front(page).getByRole('button', { name: '新建发布节点' }).first().click();
    const kinds = page.getByRole('dialog', { name: '选择数据源类型' });
    await expect(kinds.getByRole('button', { name: 'Iceberg' })).toHaveAttribute('aria-disabled', 'true');
    await expect(kinds.getByRole('button', { name: 'Oracle' })).toContainText('预览：未经实测');
    await expectAccessible(page);
    await kinds.getByRole('button', { name: 'PostgreSQL' }).click();
    await front(page).getByLabel('名称', { exact: true }).fill('goods');
    await typeConnection(page, { server, database });
    await expectAccessible(page);
    await front(page).getByRole('button', { name: '测试并保存' }).click();
    await expect(front(page).getByRole('heading', { name: 'goods', level: 1 })).toBeVisible({
      timeout: 60_000,
    });
  });

  await test.step('tables are published; one without a key says so', async () => {
    await front(page).getByRole('button', { name: '添加表' }).first().click();
    const drawer = page.getByRole('dialog', { name: '添加要发布的表' });
    await drawer.getByRole('button', { name: '选择全部 2 张' }).click();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '发布 2 张表' }).click();
    await expect(state('public.goods', 'incremental-release')).toBeVisible({ timeout: 60_000 });
    await expect(state('public.notes', 'no-primary-key')).toBeVisible({ timeout: 60_000 });
    await expect(await cellOf(page, 'public.goods', '全量行数')).toHaveText('500');
    await databases.execute('postgresql', database, "update goods set name = 'x' where id < 8");
    await expect(await cellOf(page, 'public.goods', '更新')).toHaveText('7', { timeout: 30_000 });
    await expectAccessible(page);
  });

  await test.step('a key and the remedy make the other one publishable', async () => {
    await front(page).getByRole('button', { name: 'public.notes' }).click();
    const drawer = page.getByRole('dialog', { name: 'public.notes' });
    await drawer.getByRole('checkbox', { name: '以 line 为键' }).check();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存 ApplyByKey' }).click();
    // Without the old row in its log PostgreSQL logs no key that is not its own.
    await expect(state('public.notes', 'publish-failed')).toBeVisible({ timeout: 60_000 });
    await databases.execute('postgresql', database, 'alter table notes replica identity full');
    await rowOf(page, 'public.notes').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '异常重试' }).click();
    await expect(state('public.notes', 'incremental-release')).toBeVisible({ timeout: 60_000 });
  });

  await test.step('a change of the structure is the next version of the table, with its place in the log', async () => {
    await databases.execute('postgresql', database, 'alter table goods add column size int');
    await databases.execute('postgresql', database, 'update goods set size = 1 where id = 1');
    await front(page).getByRole('button', { name: 'public.goods' }).click();
    const versions = page
      .getByRole('dialog', { name: 'public.goods' })
      .getByRole('table', { name: '结构版本' });
    await expect(versions).toContainText('ADD COLUMN size integer', { timeout: 60_000 });
    await expect(versions.getByRole('row')).toHaveCount(3);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(versions).toBeHidden();
  });

  await test.step('full data is published again; topics are measured; a table is withdrawn', async () => {
    await rowOf(page, 'public.goods').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '重新发布' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '重新发布' }).click();
    await front(page).getByRole('tab', { name: '主题' }).click();
    await expect(rowOf(page, '全量主题').getByRole('cell').nth(2)).toHaveText('2', { timeout: 30_000 });
    await expectAccessible(page);
    await front(page).getByRole('tab', { name: '表', exact: true }).click();
    await expect(state('public.goods', 'incremental-release')).toBeVisible({ timeout: 60_000 });
    await rowOf(page, 'public.notes').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '撤销发布' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '撤销发布' }).click();
    await expect(rowOf(page, 'public.notes')).toBeHidden();
  });

  await test.step('the node is in the list, is stopped there and deleted', async () => {
    await page.goto(`${platform.url}/zcbus/publish`);
    await expect(rowOf(page, 'goods').locator('[data-state=normal]')).toBeVisible({ timeout: 30_000 });
    await expectAccessible(page);
    await front(page).getByRole('button', { name: '停止 goods' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '停止' }).click();
    await expect(rowOf(page, 'goods').locator('[data-state=stopped]')).toBeVisible({ timeout: 60_000 });
    await front(page).getByRole('button', { name: 'goods 的更多操作' }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await expect(front(page).getByText('还没有发布节点')).toBeVisible();
    const slots = () => databases.rows('postgresql', database, 'select slot_name from pg_replication_slots');
    await expect.poll(slots, { timeout: 60_000 }).toEqual([]);
  });
});
