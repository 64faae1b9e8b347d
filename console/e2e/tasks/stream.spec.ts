import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front, rowOf, typeConnection } from './wizard';

const SLOW = { timeout: 60_000 };

/** Writes into the editor, which is no plain field. */
async function typeSql(page: Page, sql: string): Promise<void> {
  await page.getByRole('textbox', { name: 'SQL', exact: true }).fill(sql, SLOW);
}

test('a computation: made with its customer, its SELECT checked, its result followed, stopped and deleted', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'shop');
  const target = await databases.create('postgresql', 'figures');
  await databases.execute(
    'postgresql',
    source,
    `create table sales (id int primary key, city text, amount numeric(10,2));
     insert into sales select n, case when n % 2 = 0 then 'rome' else 'oslo' end, n from generate_series(1, 10) n;`,
  );
  const { kind, host, port, user, password } = server;
  const connection = { kind, host, port, user, password, database: source };
  const nodeMaster = await platform.call('publish/node/add', { name: 'tills', connection });
  await platform.call('publish/table/add', { nodeMaster, tables: [{ schema: 'public', table: 'sales' }] });
  await signIn(page, platform, '/stream');

  await test.step('a customer is made with the database that results go to', async () => {
    await expect(front(page).getByText('还没有实时计算')).toBeVisible(SLOW);
    await front(page).getByRole('link', { name: '客户' }).click();
    await front(page).getByRole('button', { name: '新建客户' }).first().click(SLOW);
    const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
    await dialog.getByRole('button', { name: 'PostgreSQL' }).click(SLOW);
    await front(page).getByRole('textbox', { name: '客户' }).fill('planning', SLOW);
    await typeConnection(page, { server, database: target });
    await front(page).getByRole('button', { name: '测试并保存' }).click();
    await expect(rowOf(page, 'planning')).toBeVisible(SLOW);
  });

  await test.step('a SELECT that cannot be computed says so at its place; one that can shows its columns', async () => {
    await front(page).getByRole('link', { name: '实时计算', exact: true }).click();
    await front(page).getByRole('button', { name: '新建实时计算' }).first().click(SLOW);
    const drawer = page.getByRole('dialog', { name: '新建实时计算' });
    await drawer.getByLabel('名称', { exact: true }).fill('by city', SLOW);
    for (const [field, option] of [
      ['目标数据库', /^planning/],
      ['已发布的表', 'tills · public.sales'],
    ] as const) {
      await drawer.getByRole('combobox', { name: field }).click();
      await page.locator('.ant-select-dropdown:visible').getByTitle(option).click(SLOW);
    }
    await expect(drawer.getByLabel('SQL 中的名称')).toHaveValue('sales', SLOW);
    await drawer.getByLabel('目标表').fill('by_city');
    await typeSql(page, 'SELECT city, now() AS at FROM sales');
    await drawer.getByRole('button', { name: '预检查' }).click();
    const fault = drawer.locator('.ant-form-item', { has: page.locator('.sql-editor') });
    await expect(fault.locator('.ant-form-item-explain-error').first()).toContainText('now', SLOW);
    await typeSql(page, 'SELECT city, count(*) AS n, sum(amount) AS total FROM sales GROUP BY city');
    await drawer.getByRole('button', { name: '预检查' }).click();
    await expect(drawer.getByRole('row', { name: /total/ })).toContainText('numeric', SLOW);
    await drawer.getByRole('combobox', { name: '结果的键' }).click();
    await page.locator('.ant-select-dropdown:visible').getByTitle('city').click(SLOW);
    // Elsewhere, which shuts the choice.
    await drawer.getByText('新建实时计算').click();
    await expect(page.locator('.ant-select-dropdown:visible')).toBeHidden(SLOW);
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden(SLOW);
  });

  const totals = () =>
    databases.rows('postgresql', target, 'select city, n::text, total::text from by_city order by city');
  await test.step('its result arrives and follows', async () => {
    await expect(rowOf(page, 'by city').locator('[data-state=incremental-running]')).toBeVisible(SLOW);
    await expect.poll(totals, SLOW).toEqual([
      ['oslo', '5', '25.00'],
      ['rome', '5', '30.00'],
    ]);
    await databases.execute('postgresql', source, "insert into sales values (11, 'bonn', 7)");
    await expect.poll(async () => (await totals())[0], SLOW).toEqual(['bonn', '1', '7.00']);
    await expectAccessible(page);
  });

  await test.step('stopped and deleted in English; the table stays', async () => {
    await switchLanguage(page, 'en');
    await front(page).getByRole('link', { name: 'Real-time tables' }).click(SLOW);
    await expect(rowOf(page, 'by city')).toContainText('public.sales 11', SLOW);
    await expectAccessible(page);
    await front(page).getByRole('link', { name: 'Computations' }).click();
    await rowOf(page, 'by city').getByRole('button', { name: 'Stop' }).click(SLOW);
    await expect(rowOf(page, 'by city').locator('[data-state=suspended]')).toBeVisible(SLOW);
    await rowOf(page, 'by city').getByRole('button', { name: 'More' }).click(SLOW);
    await page.getByRole('menuitem', { name: 'Delete' }).click(SLOW);
    await page
      .getByRole('dialog', { name: 'Delete computation by city?' })
      .getByRole('button', { name: 'Delete' })
      .click(SLOW);
    await expect(front(page).getByText('No computations yet')).toBeVisible(SLOW);
    expect(await totals()).toHaveLength(3);
  });
});
