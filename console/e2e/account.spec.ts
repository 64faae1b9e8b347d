import {
  ADMINISTRATOR,
  expect,
  expectAccessible,
  fillSignIn,
  PASSWORD,
  signIn,
  test,
} from './support/fixtures';
import { Platform } from './support/platform';

const NEXT_PASSWORD = 'Another5678';

test('changing the own password ends the session; only the new one opens the next', async ({ page }) => {
  const own = await Platform.start({ password: PASSWORD });
  try {
    await signIn(page, own);
    await page.getByRole('button', { name: '用户菜单' }).click();
    await page.getByRole('menuitem', { name: '修改密码' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('当前密码').fill('Wrong12345');
    await dialog.getByLabel('新密码', { exact: true }).fill('weakpassword');
    await dialog.getByLabel('确认新密码').fill(NEXT_PASSWORD);
    await dialog.getByRole('button', { name: '确定' }).click();
    await expect(dialog.getByText('安全性太低')).toBeVisible();
    await expect(dialog.getByText('两次输入的密码不一致')).toBeVisible();
    await expectAccessible(page);

    await dialog.getByLabel('新密码', { exact: true }).fill(NEXT_PASSWORD);
    await dialog.getByRole('button', { name: '确定' }).click();
    await expect(page.getByRole('alert').filter({ hasText: '提示' })).toBeVisible();
    await expect(page).toHaveURL(/\/zcbus\/home$/);

    await dialog.getByLabel('当前密码').fill(PASSWORD);
    await dialog.getByRole('button', { name: '确定' }).click();
    await expect(page).toHaveURL(/\/zcbus\/login$/);
    await expect(page.getByText('修改成功，即将重新登录')).toBeVisible();
    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await expect(page.getByRole('alert')).toHaveText('用户名或密码错误');
    await fillSignIn(page, ADMINISTRATOR, NEXT_PASSWORD);
    await expect(page).toHaveURL(/\/zcbus\/(home)?$/);
  } finally {
    await page.close();
    await own.stop();
  }
});

test('signed-in devices are listed, ended one by one and all together', async ({ page, browser }) => {
  const own = await Platform.start({ password: PASSWORD });
  const elsewhere = await (await browser.newContext()).newPage();
  try {
    await signIn(elsewhere, own);
    await signIn(page, own);
    await page.getByRole('button', { name: '用户菜单' }).click();
    await page.getByRole('menuitem', { name: '登录设备' }).click();
    const dialog = page.getByRole('dialog', { name: '登录设备' });
    await expect(dialog.getByText('当前会话')).toHaveCount(1);
    await expect(dialog.getByText(/^Chrome \(/)).toHaveCount(2);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: '下线', exact: true }).click();
    await page
      .getByRole('dialog', { name: /下线？/ })
      .getByRole('button', { name: '下线' })
      .click();
    await expect(dialog.getByText(/^Chrome \(/)).toHaveCount(1);
    // The open page learns of it by itself.
    await expect(elsewhere).toHaveURL(/\/zcbus\/login/);

    await dialog.getByRole('button', { name: '全部下线' }).click();
    await page
      .getByRole('dialog', { name: /将所有设备下线/ })
      .getByRole('button', { name: '全部下线' })
      .click();
    await expect(page).toHaveURL(/\/zcbus\/login$/);
    await expect(page.getByText('已在所有设备上退出登录')).toBeVisible();
  } finally {
    await elsewhere.context().close();
    await page.close();
    await own.stop();
  }
});
