import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  fillSignIn,
  PASSWORD,
  signIn,
  test,
  useLanguage,
} from './support/fixtures';
import { Platform } from './support/platform';

const FIRST = 'Fresh12345';
const CHOSEN = 'Chosen12345';

/** The first sign-in of a user: the given password must be changed. */
async function firstSignIn(page: Page, platform: Platform, user: string): Promise<void> {
  await page.goto(`${platform.url}/zcbus/login`);
  await fillSignIn(page, user, FIRST);
  // The field that the page before does not have: what is filled in there would go with it.
  await page.locator('[name=confirmation]').fill(CHOSEN);
  await page.locator('[name=password]').fill(CHOSEN);
  await page.locator('button[type=submit]').click();
  await fillSignIn(page, user, CHOSEN);
  await page.waitForURL('**/home');
}

test('a department, a role, and a user with both, who sees what he may until he is disabled', async ({
  page,
  browser,
}) => {
  test.setTimeout(400_000);
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await useLanguage(other, 'en');
  const platform = await Platform.start({ password: PASSWORD });
  try {
    await signIn(page, platform, '/authority-management/dept-management');
    await page.getByRole('button', { name: '新增部门' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('不能为空')).toBeVisible();
    await drawer.getByLabel('部门名称').fill('运维部');
    await drawer.getByRole('button', { name: '保存' }).click();
    const departments = page.getByRole('table', { name: '部门' });
    await expect(departments.getByText('运维部')).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('menuitem', { name: '角色管理' }).click();
    await expect(page.getByRole('table', { name: '角色' }).getByText('super-admin')).toBeVisible();
    await page.getByRole('button', { name: '新增角色' }).click();
    await drawer.getByLabel('编码').fill('night-shift');
    await drawer.getByLabel('中文名称').fill('夜班');
    await drawer.getByLabel('英文名称').fill('Night shift');
    await drawer.getByRole('checkbox', { name: '首页: 查看' }).check();
    await drawer.getByRole('checkbox', { name: '同步任务: 查看' }).check();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('table', { name: '角色' }).getByText('night-shift')).toBeVisible();

    await page.getByRole('menuitem', { name: '用户管理' }).click();
    await page.getByRole('button', { name: '新增用户' }).click();
    await drawer.getByLabel('用户名').fill('wang');
    await drawer.getByLabel('密码', { exact: true }).fill('weak');
    await drawer.getByLabel('证件号码').fill('1101051949123100');
    await drawer.getByLabel('手机').fill('12345');
    await drawer.getByLabel('邮箱').fill('王wang@example.com');
    await expect(page.getByRole('alert').filter({ hasText: '手机号码不正确' })).toBeVisible();
    await expect(drawer.getByLabel('手机')).toHaveValue('');
    await expect(drawer.getByLabel('邮箱')).toHaveValue('wang@example.com');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('密码长度必须为 8-16 个字符', { exact: true })).toBeVisible();
    await expect(drawer.getByText('身份证号码应为 15 位或 18 位')).toBeVisible();
    await expect(drawer.getByText('请选择角色')).toBeVisible();
    await drawer.getByLabel('密码', { exact: true }).fill(FIRST);
    await drawer.getByLabel('证件号码').fill('11010519491231002X');
    await drawer.getByLabel('角色').click();
    await page.getByTitle('夜班').click();
    await drawer.getByLabel('部门').click();
    await page.getByRole('treeitem', { name: '运维部' }).or(page.getByTitle('运维部')).first().click();
    await drawer.getByRole('button', { name: '保存' }).click();
    const row = page.getByRole('table', { name: '用户' }).getByRole('row', { name: /wang/ });
    await expect(row.getByText('夜班')).toBeVisible();
    await expect(row.getByText('运维部')).toBeVisible();
    await expectAccessible(page);

    await firstSignIn(other, platform, 'wang');
    const menu = other.getByRole('navigation', { name: 'Menu' });
    await expect(menu.getByRole('menuitem')).toHaveText(['Home', 'Sync tasks']);
    await other.goto(`${platform.url}/zcbus/authority-management/user-management`);
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('No access');
    await expectAccessible(other);

    await row.getByRole('button', { name: '编辑' }).click();
    await drawer.getByLabel('状态').click();
    await page.getByTitle('停用').last().click();
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(row.getByText('停用')).toBeVisible();
    // The bell asks every ten seconds; nothing else is done in the other browser.
    await other.waitForURL(/\/login/, { timeout: 40_000 });
  } finally {
    await elsewhere.close();
    await page.close();
    await platform.stop();
  }
});

test('the menu is ordered and named by the administrator, in both languages', async ({ page, platform }) => {
  await useLanguage(page, 'en');
  await signIn(page, platform, '/authority-management/menu-management');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const row = page.getByRole('table', { name: 'Menu' }).getByRole('row', { name: /sync-task/ });
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('English title').fill('Work');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(menu.getByRole('menuitem', { name: 'Work' })).toBeVisible();
  await expect(async () => {
    await row.getByRole('button', { name: 'Up' }).click();
    await expect(menu.getByRole('menuitem').first()).toHaveText('Work', { timeout: 2000 });
  }).toPass({ timeout: 60_000 });
});

test('tenants are added, changed, found and deleted', async ({ page, platform }) => {
  await useLanguage(page, 'en');
  await signIn(page, platform, '/customer');
  await page.getByRole('button', { name: 'New tenant' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Code').fill('default');
  await drawer.getByLabel('Name').fill('East');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('The tenant code default is taken')).toBeVisible();
  await drawer.getByLabel('Code').fill('east');
  await drawer.getByRole('button', { name: 'Save' }).click();
  const tenants = page.getByRole('table', { name: 'Tenants' });
  const row = tenants.getByRole('row', { name: /east/ });
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByLabel('Name').fill('Far East');
  await drawer.getByLabel('Status').click();
  await page.getByTitle('Disabled').last().click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText(/Far East.*Disabled/);
  const system = tenants.getByRole('row', { name: /default/ });
  await expect(system.getByRole('button', { name: 'Delete' })).toBeDisabled();
  const search = page.getByRole('searchbox', { name: 'Code, name, contact' });
  await search.fill('far');
  await search.press('Enter');
  await expect(system).toBeHidden();
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No tenant matches')).toBeVisible();
});

test('a dictionary is made with its items, put in order, and deleted', async ({ page, platform }) => {
  await useLanguage(page, 'en');
  await signIn(page, platform, '/system/bus-sys-parameter');
  await page.getByRole('tab', { name: 'Dictionaries' }).click();
  await page.getByRole('button', { name: 'Add dictionary' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Dictionary type').fill('the colours');
  await drawer.getByRole('button', { name: 'Add item' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText('Only letters, digits, underscore, dot and hyphen')).toBeVisible();
  await expect(drawer.getByText('Must not be empty')).toHaveCount(5);
  await expectAccessible(page);
  await drawer.getByLabel('Dictionary type').fill('colours');
  await drawer.getByLabel('Chinese name').fill('颜色');
  await drawer.getByLabel('English name').fill('Colours');
  for (const [row, [key, chinese, english]] of [
    ['r', '红', 'red'],
    ['g', '绿', 'green'],
  ].entries()) {
    if (row > 0) await drawer.getByRole('button', { name: 'Add item' }).click();
    await drawer.getByLabel(`Key ${row + 1}`, { exact: true }).fill(key ?? '');
    await drawer.getByLabel(`Chinese ${row + 1}`, { exact: true }).fill(chinese ?? '');
    await drawer.getByLabel(`English ${row + 1}`, { exact: true }).fill(english ?? '');
  }
  await drawer.getByRole('button', { name: 'Move item 2 up' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('table', { name: 'Dictionaries' }).getByRole('row', { name: /colours/ });
  await expect(row).toContainText('颜色');
  await row.getByRole('button', { name: 'Edit' }).click();
  await expect(drawer.getByLabel('Key 1', { exact: true })).toHaveValue('g');
  await drawer.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
