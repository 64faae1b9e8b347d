import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectDialog, signIn, switchLanguage, test } from '../support/fixtures';
import { front } from './wizard';

const SLOW = { timeout: 60_000 };

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

test('SQL is written with completion, run read-only, changed on purpose, saved and found again', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(360_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'tools_source');
  const target = await databases.create('postgresql', 'tools_target');
  await databases.execute(
    'postgresql',
    source,
    `create table accounts (id int primary key, holder text);
     insert into accounts select n, '=holder ' || n from generate_series(1, 30) n;`,
  );
  const { kind, host, port, user, password } = server;
  const place = (database: string) => ({ kind, host, port, user, password, database });
  await platform.applyLink({
    link: 'tools',
    source: place(source),
    target: place(target),
    tables: ['public.*'],
    clean: 'drop',
  });
  await signIn(page, platform, '/resource/sqlManagement');
  const editor = front(page).getByRole('textbox', { name: 'SQL 语句' });
  const write = async (sql: string) => {
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(sql);
    await page.keyboard.press('Escape');
  };
  const result = front(page).getByRole('status');
  /** Fails where another number of statements of ours runs on the server; rows are fetched from a cursor. */
  const running = (count: number) =>
    databases.execute(
      'postgresql',
      source,
      `do $$ begin assert (select count(*) from pg_stat_activity
         where datname = '${source}' and state = 'active' and query like 'FETCH%') = ${count}; end $$`,
    );

  await test.step('names are completed from the catalogue, and rows come in a read-only transaction', async () => {
    await front(page).getByRole('combobox', { name: '数据库' }).click();
    await page.locator('.ant-select-dropdown:visible').getByText('tools_source').click();
    await editor.click();
    await expect(async () => {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('SELECT * FROM acc');
      await expect(page.getByRole('option', { name: /accounts/ }).first()).toBeVisible({ timeout: 2000 });
    }).toPass(SLOW);
    await page.keyboard.press('Escape');
    await write('SELECT id, holder FROM accounts ORDER BY id');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(result).toContainText('30 行', SLOW);
    await expect(front(page).getByRole('cell', { name: '=holder 1', exact: true })).toBeVisible();
    await shot(page, 'sql-zh-1280');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'sql-zh-1920');
    await page.setViewportSize({ width: 1280, height: 720 });
    await write('DELETE FROM accounts');
    await front(page).getByRole('button', { name: /执行$/ }).click();
    await expect(front(page).getByRole('alert')).toContainText('执行失败', SLOW);
    await front(page).getByRole('button', { name: '执行计划' }).click();
    await expect(front(page).getByRole('cell', { name: /Delete on accounts/ })).toBeVisible(SLOW);
  });

  await test.step('a change is asked about and committed', async () => {
    await front(page).getByRole('switch', { name: '允许修改' }).click();
    await write('DELETE FROM accounts WHERE id > 10');
    await front(page).getByRole('button', { name: /执行$/ }).click();
    await shot(page, 'sql-change-zh');
    await page.getByRole('dialog').getByRole('button', { name: '执行并提交' }).click();
    await expect(result).toContainText('影响 20 行', SLOW);
    await front(page).getByRole('switch', { name: '允许修改' }).click();
  });

  await test.step('a file becomes rows of a table once its refused records are left out', async () => {
    await front(page).getByRole('button', { name: '导入数据' }).click();
    const drawer = page.getByRole('dialog', { name: '导入数据' });
    const rows = 'ID,Holder,extra\n101,=new 1,x\n102,,y\n1,twice,z\nx,bad,z\n5\n';
    await drawer
      .locator('#import-file')
      .setInputFiles({ name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
    await shot(page, 'import-file-zh');
    await drawer.getByRole('button', { name: '上传并预览' }).click();
    await expect(drawer.getByRole('status')).toContainText('5 条记录', SLOW);
    await drawer.getByRole('combobox', { name: '数据库' }).click();
    await page.locator('.ant-select-dropdown:visible').getByText('tools_source').click();
    await drawer.getByRole('combobox', { name: '表' }).click();
    await page.locator('.ant-select-dropdown:visible').getByText('public.accounts').click();
    await expect(drawer.getByRole('combobox', { name: 'Holder 对应的列' })).toHaveValue('holder', SLOW);
    const start = drawer.getByRole('button', { name: '导入', exact: true });
    await start.click();
    await expect(drawer.getByText(/数据未改变：有 3 条/)).toBeVisible(SLOW);
    await expect(drawer.getByRole('cell', { name: /duplicate key/ })).toBeVisible();
    await shot(page, 'import-refused-zh-1280');
    await expectAccessible(page);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'import-refused-zh-1920');
    await page.setViewportSize({ width: 1280, height: 720 });
    await drawer.getByRole('checkbox', { name: '略过被拒绝的记录' }).check();
    await start.click();
    await expect(drawer.getByText(/已导入：写入 2 条，拒绝 3 条/)).toBeVisible(SLOW);
    await shot(page, 'import-done-zh');
    await drawer.getByRole('button', { name: '关闭' }).last().click();
    await write('DELETE FROM accounts WHERE id > 100');
    await front(page).getByRole('switch', { name: '允许修改' }).click();
    await front(page).getByRole('button', { name: /执行$/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: '执行并提交' }).click();
    await expect(result).toContainText('影响 2 行', SLOW);
    await front(page).getByRole('switch', { name: '允许修改' }).click();
  });

  await test.step('a statement that is called off is ended on the server', async () => {
    await write('SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b');
    await front(page).getByRole('button', { name: /执行$/ }).click();
    const dialog = page.getByRole('dialog', { name: '正在执行操作' });
    const cancel = dialog.getByRole('button', { name: '取消操作' });
    await expect(cancel).not.toHaveAttribute('aria-disabled', 'true', SLOW);
    await expect(() => running(1)).toPass(SLOW);
    await shot(page, 'sql-cancel-zh');
    await cancel.click();
    await expect(front(page).getByRole('alert')).toContainText('执行失败', SLOW);
    await expect(() => running(0)).toPass(SLOW);
  });

  await test.step('what was run is in the history, and what is saved in the list', async () => {
    await page.keyboard.press('Control+h');
    const history = page.getByRole('dialog', { name: '历史' });
    const first = history.getByRole('row').filter({ hasText: 'ORDER BY id' });
    await expect(first).toBeVisible(SLOW);
    await shot(page, 'sql-history-zh');
    await first.getByRole('button', { name: '放入编辑器' }).click();
    await expect(editor).toContainText('ORDER BY id');
    await expectDialog(page, front(page).getByRole('button', { name: '保存' }), '保存 SQL');
    await front(page).getByRole('button', { name: '保存' }).click();
    const drawer = page.getByRole('dialog', { name: '保存 SQL' });
    await drawer.getByLabel('描述').fill('accounts by id');
    await shot(page, 'sql-save-zh');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    await switchLanguage(page, 'en');
    await front(page).getByRole('tab', { name: 'Saved SQL' }).click();
    await shot(page, 'sql-saved-en');
    await expectAccessible(page);
    await front(page).getByRole('button', { name: 'Open' }).click();
    await expect(front(page).getByRole('textbox', { name: 'SQL statement' })).toContainText('ORDER BY id');
    await front(page).getByRole('button', { name: /Run$/ }).click();
    await expect(result).toContainText('10 rows', SLOW);
    await shot(page, 'sql-en-1280');
  });

  await test.step('a part of a name finds its page from anywhere', async () => {
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const field = dialog.getByRole('combobox');
    await expect(field).toBeFocused(SLOW);
    await field.fill('ccoun');
    await expect(dialog.getByRole('option', { name: /public\.accounts.*Published tables/ })).toBeVisible(
      SLOW,
    );
    await shot(page, 'search-palette-en');
    await expectAccessible(page);
    await page.keyboard.press('ArrowUp');
    await expect(dialog.getByRole('option', { selected: true })).toHaveText('All results for ccoun');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/resource\/search\?text=ccoun/);
    const tables = front(page).getByRole('region', { name: 'Published tables' });
    await expect(tables.getByRole('link', { name: /public\.accounts/ })).toBeVisible(SLOW);
    await shot(page, 'search-en-1280');
    await expectAccessible(page);
    await switchLanguage(page, 'zh');
    await page.setViewportSize({ width: 1920, height: 1080 });
    const published = front(page).getByRole('region', { name: '发布表' }).getByRole('link').first();
    await expect(published).toBeVisible(SLOW);
    await shot(page, 'search-zh-1920');
    await published.click();
    await expect(page).toHaveURL(/\/publishsubdetail\/postgresql\/[^?]+\?table-search=accounts/);
  });

  await test.step('a deleted statement is restored from the recycle bin, which is emptied in the end', async () => {
    const remove = async (saved: string, word: string, kept: RegExp) => {
      await page.goto(`${platform.url}/zcbus/resource/sqlManagement`);
      await front(page).getByRole('tab', { name: saved }).click();
      await front(page).getByRole('button', { name: word }).click();
      const asked = page.getByRole('dialog');
      await expect(asked).toContainText(kept, SLOW);
      await shot(page, `bin-ask-${word}`);
      await asked.getByRole('button', { name: word }).click();
      await expect(front(page).getByRole('button', { name: word })).toHaveCount(0);
      await page.goto(`${platform.url}/zcbus/resource/recycleBin`);
    };
    await remove('已保存', '删除', /30 天内可恢复/);
    const line = front(page).getByRole('row').filter({ hasText: 'accounts by id' });
    await expect(line).toContainText('已保存的 SQL', SLOW);
    await expectAccessible(page);
    await shot(page, 'bin-zh-1920');
    await page.setViewportSize({ width: 1280, height: 720 });
    await shot(page, 'bin-zh-1280');
    await expectDialog(page, front(page).getByRole('button', { name: '清空回收站' }), '清空回收站');
    await line.getByRole('button', { name: '恢复' }).click();
    const restoring = page.getByRole('dialog', { name: '恢复 accounts by id？' });
    await shot(page, 'bin-restore-zh');
    await restoring.getByRole('button', { name: '恢复' }).click();
    await expect(front(page).getByText('回收站为空')).toBeVisible(SLOW);
    await shot(page, 'bin-empty-zh');
    await switchLanguage(page, 'en');
    await remove('Saved SQL', 'Delete', /can be restored for 30 days/);
    await expect(line).toBeVisible(SLOW);
    await shot(page, 'bin-en-1280');
    await front(page).getByRole('button', { name: 'Empty recycle bin' }).click();
    const emptying = page.getByRole('dialog', { name: 'Empty the recycle bin?' });
    await emptying.getByRole('button', { name: 'Empty recycle bin' }).click();
    await expect(front(page).getByText('The recycle bin is empty')).toBeVisible(SLOW);
    await shot(page, 'bin-empty-en');
  });
});
