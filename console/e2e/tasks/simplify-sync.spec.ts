import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  startOrSkip,
  switchLanguage,
  test,
} from '../support/fixtures';
import { front, rowOf } from './wizard';

const LOADED = { timeout: 60_000 };

test('two trees, tables matched by name, one start; then the link monitor shows the heartbeat at every hop', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(300_000);
  const mariadb = await startOrSkip(databases, 'mysql');
  const postgresql = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'easy_source');
  const target = await databases.create('mysql', 'easy_target');
  await databases.execute(
    'postgresql',
    source,
    `create table goods (id int primary key, name text);
     create table parts (id int primary key, note text);
     create table notes (text text);
     alter table notes replica identity full;
     insert into notes values ('same'), ('same');
     insert into goods select n, 'good ' || n from generate_series(1, 200) n;
     insert into parts values (1, 'one'), (2, 'two');`,
  );
  await databases.execute('mysql', target, 'create table ODS_GOODS (id int primary key, name text)');
  const connection = (of: typeof mariadb, database: string) => {
    const { kind, host, port, user, password } = of;
    return { kind, host, port, user, password, database };
  };
  await platform.call('publish/node/add', {
    name: 'easy',
    connection: connection(postgresql, source),
    start: false,
  });
  await platform.call('subscribe/customer/add', {
    name: 'receiver',
    connection: connection(mariadb, target),
  });
  await signIn(page, platform, '/sync-link');
  await front(page).getByRole('button', { name: '极简同步' }).click();

  await test.step('a schema is ticked on the left, another chosen on the right, and the tables find each other', async () => {
    for (const [side, database] of [
      ['源端', source],
      ['目标端', target],
    ] as const) {
      const choice = front(page).getByRole('combobox', { name: `${side}数据库` });
      const label = await choice.locator('option').filter({ hasText: database }).textContent(LOADED);
      await choice.selectOption({ label: label ?? '' });
    }
    const tree = (name: string) => front(page).getByRole('region', { name, exact: true });
    await tree('源端').locator('.ant-tree-checkbox').first().click();
    await tree('目标端').getByTitle(target, { exact: true }).click();
    await expect(rowOf(page, 'public.parts')).toContainText('将新建', LOADED);
    await front(page).getByLabel('前缀').fill('ods_');
    await expect(rowOf(page, 'public.goods')).toContainText(`${target}.ODS_GOODS`, LOADED);
    await expect(rowOf(page, 'public.goods')).toContainText('已有目标表');
    await expect(rowOf(page, 'public.parts')).toContainText(`${target}.ods_parts`);
    await expectAccessible(page);
  });

  await test.step('one start makes and runs the link, and says which table was left out', async () => {
    await front(page).getByRole('button', { name: '启动 3 张表' }).click();
    const drawer = page.getByRole('dialog', { name: '启动 3 张表的同步' });
    await drawer.getByLabel('链路名称').fill('easy-link');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '启动' }).click();
    const results = page.getByRole('dialog', { name: /结果/ });
    await expect(results.getByRole('row').filter({ hasText: 'public.notes' })).toBeVisible(LOADED);
    await expect(results.getByRole('row').filter({ hasText: 'public.goods' })).toHaveCount(0);
    await results.getByRole('button', { name: /关闭|Close/ }).click();
    await page.waitForURL(/\/zcbus\/sync-task-config\//);
    await expect(front(page).locator('[data-state=incremental-running]')).not.toHaveCount(0, {
      timeout: 90_000,
    });
    await databases.execute('postgresql', source, "update goods set name = 'x' where id = 200");
    const rows = () => databases.rows('mysql', target, 'select count(*), max(name) from ODS_GOODS');
    await expect
      .poll(async () => (await rows()).map((row) => row.map(String)), LOADED)
      .toEqual([['200', 'x']]);
  });

  await test.step('the table without a key is started alone, append-only', async () => {
    await page.getByRole('button', { name: '极简同步', exact: true }).click();
    const tree = front(page).getByRole('region', { name: '源端', exact: true });
    await tree.locator('.ant-tree-switcher_close').first().click();
    await tree
      .locator('.ant-tree-treenode', { hasText: 'notes' })
      .locator('.ant-tree-checkbox')
      .click(LOADED);
    await front(page).getByRole('button', { name: '启动 1 张表' }).click(LOADED);
    const drawer = page.getByRole('dialog', { name: '启动 1 张表的同步' });
    await drawer.getByLabel('链路名称').fill('easy-notes');
    await drawer.getByRole('checkbox', { name: '无键的表以只追加方式发布' }).check();
    await expect(drawer).toContainText('重复行会保留，更新和删除不会应用');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '启动' }).click();
    await page.waitForURL(/\/zcbus\/sync-task-config\//);
    const notes = () => databases.rows('mysql', target, 'select text from ods_notes').catch(() => []);
    await expect.poll(notes, { timeout: 90_000 }).toEqual([['same'], ['same']]);
  });

  await test.step('the link monitor shows it beating, with a time at each hop', async () => {
    await page.getByRole('navigation', { name: '主菜单' }).getByText('链路统计').click();
    const row = rowOf(page, 'easy-link');
    await expect(row.locator('[data-state=beating]')).toBeVisible(LOADED);
    await expect(row.locator('.link-beat [data-look=good]')).toHaveCount(4);
    await expect(row.locator('.link-beat')).toHaveText(Array(4).fill(/^\d[\d.]* (ms|秒).+前$/), LOADED);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await switchLanguage(page, 'en');
    await expect(row.getByText('Beating')).toBeVisible(LOADED);
    await expectNothingBeside(page);
    await switchLanguage(page, 'zh');
    await row.getByRole('link', { name: 'easy-link' }).click();
    await expect(page).toHaveURL(/\/sync-link-config\//);
    await page.goBack();
  });

  await test.step('point to point shows it as one way: drawn, listed, and on the big screen', async () => {
    await page.getByRole('navigation', { name: '主菜单' }).getByText('点对点同步').click();
    const views = front(page).getByRole('navigation', { name: '点对点同步的视图' });
    await expect(front(page).getByRole('button', { name: /easy-link/ })).toBeVisible(LOADED);
    await expectAccessible(page);
    await front(page)
      .getByRole('button', { name: /easy-link/ })
      .click();
    await expect(page).toHaveURL(/\/sync-link-config\//);
    await page.goBack();
    await views.getByText('列表').click();
    await expect(rowOf(page, 'easy-link').locator('[data-state=beating]')).toBeVisible(LOADED);
    await views.getByText('大屏').click();
    await expect(front(page).getByRole('article').filter({ hasText: 'easy-link' })).toContainText(
      `${source} `,
      LOADED,
    );
    await expectAccessible(page);
  });
});
