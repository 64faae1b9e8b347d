import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
} from '../support/fixtures';
import { front } from './wizard';

const SLOW = { timeout: 90_000 };

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page
    .locator('.ant-select-dropdown:visible')
    .locator('.ant-select-item-option')
    .filter({ hasText: option })
    .click();
}

test('plans run saved SQL and clean histories, and say how much', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'checked_source');
  const target = await databases.create('postgresql', 'checked_target');
  await databases.execute(
    'postgresql',
    source,
    `create table accounts (id int primary key, balance int not null);
     insert into accounts select n, n from generate_series(1, 100) n;`,
  );
  const { kind, host, port, user, password } = server;
  const place = (database: string) => ({ kind, host, port, user, password, database });
  await platform.applyLink({
    link: 'checked',
    source: place(source),
    target: place(target),
    tables: ['public.*'],
    clean: 'drop',
  });
  await platform.call('resource/sql/add', {
    description: 'overdrawn accounts',
    statement: 'select id, balance from public.accounts where balance < 0',
  });
  await signIn(page, platform, '/task');
  const row = (name: string) =>
    front(page)
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name, exact: true }) });
  const run = async (name: string, action: string) => {
    await row(name).getByRole('button', { name: action }).click();
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
  };

  await test.step('a saved SQL is planned that must find nothing', async () => {
    await front(page).getByRole('button', { name: '新建计划' }).first().click();
    const drawer = page.getByRole('dialog', { name: '新建计划' });
    await drawer.getByLabel('名称').fill('overdrawn');
    await choose(page, '任务', '执行 SQL');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('请选择已保存的 SQL')).toBeVisible();
    await expect(drawer.getByText('请选择数据库')).toBeVisible();
    await choose(page, '已保存的 SQL', 'overdrawn accounts');
    await expect(drawer.getByText('where balance < 0')).toBeVisible();
    await choose(page, '数据库', /checked_source/);
    await choose(page, '预期结果', '没有结果');
    await shot(page, 'plan-sql-zh');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    await expect(row('overdrawn')).toContainText('SQL · overdrawn accounts');
  });

  await test.step('it succeeds with its rows and duration, and fails once rows come', async () => {
    await run('overdrawn', '立即执行');
    await expect(row('overdrawn').getByText('成功')).toBeVisible(SLOW);
    await databases.execute('postgresql', source, 'update accounts set balance = -1 where id <= 3');
    await run('overdrawn', '立即执行');
    await expect(row('overdrawn').getByText('失败')).toBeVisible(SLOW);
    await page.getByRole('tab', { name: '执行记录' }).click();
    const runs = front(page).getByRole('row').filter({ hasText: 'overdrawn' });
    await expect(runs.filter({ hasText: '预期没有结果，但查询到 3 行' })).toHaveCount(1);
    await expect(runs.filter({ hasText: /查询到 0 行，用时 \d+ 毫秒/ })).toHaveCount(1);
    await expectNothingBeside(page);
    await shot(page, 'sql-history-zh');
    await runs.filter({ hasText: '失败' }).getByRole('button', { name: '详情' }).click();
    const details = page.getByRole('dialog', { name: 'overdrawn 的一次执行' });
    await expect(details.getByRole('row', { name: /overdrawn accounts · / })).toContainText('3 行');
    await shot(page, 'sql-run-zh');
    await expectAccessible(page);
  });

  await test.step('histories are cleaned, in English', async () => {
    await page.goto(`${platform.url}/zcbus/task`);
    await switchLanguage(page, 'en');
    await front(page).getByRole('button', { name: 'Add plan' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add plan' });
    await drawer.getByLabel('Name').fill('spring clean');
    await choose(page, 'Job', /^Clean$/);
    await expect(drawer.getByLabel('Sync link')).toBeHidden();
    await choose(page, 'Remove', 'Full loads');
    await page.locator('.ant-select-dropdown:visible').getByText('Recycle bin').click();
    await page.keyboard.press('Escape');
    await expect(drawer.getByRole('spinbutton', { name: 'Older than (days)' })).toHaveValue('30');
    await shot(page, 'plan-clean-en');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(row('spring clean')).toContainText('Clean · Full loads, Recycle bin (older than 30 days)');
    await run('spring clean', 'Run now');
    await expect(row('spring clean').getByText('Succeeded')).toBeVisible(SLOW);
    await shot(page, 'plans-jobs-en');
    await page.getByRole('tab', { name: 'History' }).click();
    await front(page)
      .getByRole('row')
      .filter({ hasText: 'spring clean' })
      .getByRole('button', { name: 'Details' })
      .click();
    const details = page.getByRole('dialog', { name: 'A run of spring clean' });
    await expect(details.getByRole('row', { name: /^Full loads/ })).toContainText('0 removed');
    await expect(details.getByText('0 records removed').first()).toBeVisible();
    await shot(page, 'clean-run-en');
    await expectAccessible(page);
  });

  await test.step('the metadata is backed up', async () => {
    await page.goto(`${platform.url}/zcbus/task`);
    await front(page).getByRole('button', { name: 'Add plan' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add plan' });
    await drawer.getByLabel('Name').fill('safety');
    await choose(page, 'Job', 'Back up metadata');
    await expect(drawer.getByRole('spinbutton', { name: 'Backups to keep' })).toHaveValue('7');
    await shot(page, 'plan-backup-en');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(row('safety')).toContainText('Back up metadata (7 kept)');
    await run('safety', 'Run now');
    await expect(row('safety').getByText('Succeeded')).toBeVisible(SLOW);
    await page.getByRole('tab', { name: 'History' }).click();
    const made = front(page).getByRole('row').filter({ hasText: 'safety' });
    await expect(made).toContainText(/\d+\.\d MB in .+:backups\/.+\/zcbus-\d{8}-\d{6}\.db/);
    await shot(page, 'backup-history-en');
  });
});
