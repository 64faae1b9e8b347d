import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { cellOf, fillConnection, front, next, passPrecheck, passTest, rowOf, start } from './wizard';

const SOURCE = `
  create table customers (id int primary key, name text not null, note text);
  create table orders (id bigint primary key, customer int, total numeric(12,2), placed timestamptz);
  create table visits (at timestamptz not null, path text not null, visitor text);
  alter table visits replica identity full;
  create table hits (page text);
  alter table hits replica identity full;
  insert into hits values ('home'), ('home');
  create table scratch (id int primary key);
  insert into customers select n, '客户 ' || n, 'secret ' || n from generate_series(1, 500) n;
  insert into orders select n, n % 500 + 1, n * 1.25, '2026-01-01 00:00:00+08'::timestamptz + n * interval '1 second'
    from generate_series(1, 20000) n;
  insert into visits select '2026-01-01 00:00:00+08'::timestamptz + n * interval '1 second', '/page/' || n, 'v'
    from generate_series(1, 100) n;`;

test('from two empty forms to a running link whose target holds the source’s data', async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'wizard_source');
  const target = await databases.create('postgresql', 'wizard_target');
  await databases.execute('postgresql', source, SOURCE);

  await signIn(page, platform, '/sync-link');
  await front(page).getByRole('button', { name: '新建同步链路' }).first().click();
  await expect(page).toHaveURL(/\/sync-link\/new/);

  await test.step('source: type, connection, test', async () => {
    await fillConnection(page, { server, database: source });
    await expectAccessible(page);
    await front(page).getByRole('button', { name: '测试连接' }).click();
    const dialog = page.getByRole('dialog', { name: '连接测试' });
    await expect(dialog.getByRole('cell', { name: '成功' }).first()).toBeVisible();
    await expect(dialog.getByRole('columnheader')).toHaveText(['测试项', '检查 SQL', '状态', '日志信息']);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '下一步' }).click();
  });

  await test.step('target', async () => {
    await expect(front(page).getByRole('heading', { name: '写入哪个数据库' })).toBeVisible();
    await fillConnection(page, { server, database: target });
    await passTest(page);
  });

  await test.step('tables: pattern, key filter, key columns for a table without key, append-only for another', async () => {
    await expect(page.getByText('请至少选择一张表')).toBeVisible();
    await front(page).getByLabel('按键筛选').selectOption('仅无键的表');
    await expect(rowOf(page, 'public.visits')).toBeVisible();
    await expect(rowOf(page, 'public.orders')).toBeHidden();
    await rowOf(page, 'public.visits').getByRole('checkbox').check();
    await expect(page.getByText('有 1 张表需要指定键列')).toBeVisible();
    await rowOf(page, 'public.visits').getByRole('button', { name: '指定键列' }).click();
    const dialog = page.getByRole('dialog', { name: /public\.visits/ });
    await dialog.getByRole('checkbox', { name: /^path/ }).check();
    await dialog.getByRole('button', { name: /确\s*定|OK/ }).click();
    await rowOf(page, 'public.hits').getByRole('checkbox').check();
    await rowOf(page, 'public.hits').getByRole('button', { name: '指定键列' }).click();
    const offer = page.getByRole('dialog', { name: /public\.hits/ });
    await offer.getByRole('checkbox', { name: '只追加：无键发布' }).check();
    await expect(offer).toContainText('重复行会保留，更新和删除不会应用');
    await expectAccessible(page);
    await offer.getByRole('button', { name: '以只追加方式发布' }).click();
    await front(page).getByLabel('按键筛选').selectOption('有键和无键');
    const search = front(page).getByPlaceholder('表名，支持 * 和 ?');
    await search.fill('public.*s');
    await search.press('Enter');
    await expect(rowOf(page, 'public.scratch')).toBeHidden();
    await front(page).getByRole('button', { name: '选择全部匹配的 4 张表' }).click();
    await expectAccessible(page);
    await next(page);
  });

  await test.step('mapping: another name, a column less, one more, and a condition that cannot be', async () => {
    await front(page).getByLabel('public.customers 的目标表名').fill('people');
    await rowOf(page, 'public.customers').getByRole('button', { name: '全部列' }).click();
    const drawer = page.getByRole('dialog', { name: /public\.customers/ });
    await drawer.getByRole('checkbox', { name: '同步列 note' }).uncheck();
    await drawer.getByLabel('列 name 的目标列名').fill('full_name');
    await drawer.getByRole('button', { name: '新增一列' }).click();
    await drawer.getByLabel('新增列 1 的名称').fill('origin');
    await drawer.getByLabel('新增列 1 的值').fill('shop');
    await drawer.getByLabel('源端条件').fill('idd < 10000');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(
      rowOf(page, 'public.customers').getByRole('button', { name: /已选 2 列 · 2 项转换/ }),
    ).toBeVisible();
    await expectAccessible(page);
    await next(page);
  });

  await test.step('pre-check: its findings are shown at the field, and nothing is lost by going back', async () => {
    await expect(front(page).getByRole('heading', { name: '预检查' })).toBeVisible();
    await expect(front(page).getByText('有 1 项错误，解决后才能启动').first()).toBeVisible({
      timeout: 60_000,
    });
    await front(page).getByRole('button', { name: '上一步' }).click();
    await expect(front(page).getByLabel('public.customers 的目标表名')).toHaveValue('people');
    await rowOf(page, 'public.customers')
      .getByRole('button', { name: /1 个问题/ })
      .click();
    const drawer = page.getByRole('dialog', { name: /public\.customers/ });
    await expect(drawer.getByText(/idd < 10000（/)).toBeVisible();
    await drawer.getByLabel('源端条件').fill('id < 10000');
    await drawer.getByRole('button', { name: '保存' }).click();
    await next(page);
    await passPrecheck(page);
    await start(page, 'wizard');
  });

  await test.step('the task runs', async () => {
    for (const table of ['public.customers', 'public.orders', 'public.visits', 'public.hits'])
      await expect(rowOf(page, table).locator('[data-state=incremental-running]')).toBeVisible({
        timeout: 60_000,
      });
    await expectAccessible(page);
  });

  const orders = 'select id, customer, total, placed from orders order by id';
  const people = 'select id, full_name from people order by id';

  await test.step('the target holds the data', async () => {
    expect(await databases.rows('postgresql', target, orders)).toEqual(
      await databases.rows('postgresql', source, orders),
    );
    expect(await databases.rows('postgresql', target, people)).toEqual(
      await databases.rows('postgresql', source, 'select id, name from customers order by id'),
    );
    expect(await databases.rows('postgresql', target, 'select * from people limit 0')).toEqual([]);
    const hits = await databases.rows('postgresql', target, 'select page from hits');
    expect(hits, 'equal rows of a table that is append-only').toEqual([['home'], ['home']]);
    const columns =
      "select column_name from information_schema.columns where table_name = 'people' order by 1";
    expect(await databases.rows('postgresql', target, columns)).toEqual([['full_name'], ['id'], ['origin']]);
    const origins = 'select distinct origin from people';
    expect(await databases.rows('postgresql', target, origins)).toEqual([['shop']]);
  });

  await test.step('changes follow, and the page counts them by itself', async () => {
    await databases.execute(
      'postgresql',
      source,
      `insert into customers values (1000, '新客户'); update orders set total = 0 where id <= 3; delete from visits
       where path = '/page/7'; update orders set id = 100001 where id = 20000;`,
    );
    await expect
      .poll(() => databases.rows('postgresql', target, people), { timeout: 30_000 })
      .toEqual(await databases.rows('postgresql', source, 'select id, name from customers order by id'));
    await expect
      .poll(() => databases.rows('postgresql', target, orders), { timeout: 30_000 })
      .toEqual(await databases.rows('postgresql', source, orders));
    await expect
      .poll(() => databases.rows('postgresql', target, "select count(*) from visits where path = '/page/7'"))
      .toEqual([[0]]);
    for (const [table, inserts, updates, deletes] of [
      ['public.customers', '1', '0', '0'],
      ['public.visits', '0', '0', '1'],
    ] as const) {
      await expect(await cellOf(page, table, '插入')).toHaveText(inserts);
      await expect(await cellOf(page, table, '更新')).toHaveText(updates);
      await expect(await cellOf(page, table, '删除')).toHaveText(deletes);
    }
  });
  await test.step('what decides is in sight in a narrow window', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [language, last] of [
      ['en', 'Errors'],
      ['zh', '错误'],
    ] as const) {
      await switchLanguage(page, language);
      const head = front(page).getByRole('columnheader', { name: last });
      await expect(head).toBeInViewport({ ratio: 1 });
    }
  });
});
