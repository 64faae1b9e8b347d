import { expect, expectAccessible, signIn, test, useLanguage } from '../support/fixtures';
import { fillConnection } from './wizard';

test('a wrong password shows the check that failed, and the next step stays shut', async ({
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

test('empty and wrong fields are named before anything is asked', async ({ page, platform }) => {
  await signIn(page, platform, '/sync-link/new');
  await page.getByRole('button', { name: '选择数据源类型' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'MySQL / MariaDB' }).click();
  await page.getByLabel('端口').fill('70000');
  await page.getByRole('button', { name: '测试连接' }).click();
  for (const text of ['主机不能为空', '端口须为 1–65535 的整数', '用户名不能为空', '数据库不能为空'])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('switching the language keeps what was filled in, but not the password', async ({ page, platform }) => {
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
