import type { Page } from '@playwright/test';
import { codeOf } from './support/authenticator';
import {
  ADMINISTRATOR,
  expect,
  expectAccessible,
  fillSignIn,
  PASSWORD,
  signIn,
  signOut,
  switchLanguage,
  test,
} from './support/fixtures';
import { Platform } from './support/platform';

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

/** A code as a person types it. The server takes the one of the next half minute as well. */
async function giveCode(page: Page, code: string): Promise<void> {
  await page.locator('[name=code]').fill(code);
  await page.locator('button[type=submit]').click();
}

/** An account that signs in with two steps. */
async function addCareful(page: Page, platform: Platform, name: string): Promise<void> {
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'ZCBUS-TOKEN': token };
    const answer = await page.request.post(`${platform.url}/api/zcbus/${path}`, { data: body, headers });
    return (await answer.json()).data;
  };
  await platform.addAccount(name);
  const { records } = await platform.call<{ records: { userId: string }[] }>('account/user/page', {
    search: name,
  });
  await platform.call('account/user/password/reset', { userId: records[0]?.userId, password: 'Fresh12345' });
  const { token } = await post('sys/authentication/login', { userName: name, password: 'Fresh12345' });
  const change = { newPassword: PASSWORD, confirmPassword: PASSWORD, token };
  await post('account/user/change/password', change);
  const session = await post('sys/authentication/login', { userName: name, password: PASSWORD });
  const { secret, handle } = await post('account/second-factor/begin', {}, session.token);
  const proof = { handle, currentPassword: PASSWORD, code: codeOf(secret) };
  await post('account/second-factor/on', proof, session.token);
}

test('two-step verification: turned on, requested, with a recovery code, and removed for another user', {
  tag: '@wide',
}, async ({ page }) => {
  const own = await Platform.start({ password: PASSWORD });
  try {
    await addCareful(page, own, 'olga');
    await signIn(page, own);
    await page.getByRole('button', { name: '用户菜单' }).click();
    await page.getByRole('menuitem', { name: '两步验证' }).click();
    const dialog = page.getByRole('dialog', { name: '两步验证' });
    await expect(dialog.getByRole('img', { name: '身份验证器二维码' })).toBeVisible();
    const secret = (await dialog.locator('[data-secret]').textContent()) ?? '';
    await expectAccessible(page);
    await shoot(page, 'set-up-zh');
    await dialog.getByLabel('当前密码').fill('Wrong12345');
    await dialog.getByLabel('验证码').fill(codeOf(secret));
    await dialog.getByRole('button', { name: '开启两步验证' }).click();
    await expect(dialog.getByText('当前密码不正确')).toBeVisible();
    await dialog.getByLabel('当前密码').fill(PASSWORD);
    await dialog.getByLabel('验证码').fill('000000');
    await dialog.getByRole('button', { name: '开启两步验证' }).click();
    await expect(dialog.getByText('验证码不正确或已使用过')).toBeVisible();
    await dialog.getByLabel('验证码').fill(codeOf(secret));
    await dialog.getByRole('button', { name: '开启两步验证' }).click();
    const codes = dialog.getByRole('list', { name: '恢复码' }).getByRole('listitem');
    await expect(codes).toHaveCount(10);
    const recoveryCode = (await codes.first().textContent()) ?? '';
    await expectAccessible(page);
    await shoot(page, 'codes-zh');
    await dialog.getByRole('button', { name: '我已保存' }).click();
    await signOut(page);

    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await expect(page.getByRole('heading', { name: '两步验证' })).toBeVisible();
    await expect(page.getByLabel('验证码')).toBeFocused();
    await expect(page.getByLabel('验证码')).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible(page);
    await giveCode(page, '000000');
    await expect(page.getByRole('alert')).toContainText('验证码不正确或已使用过');
    await shoot(page, 'code-zh');
    await giveCode(page, codeOf(secret, 1));
    await expect(page).toHaveURL(/\/zcbus\/(home)?$/);
    await signOut(page);

    await switchLanguage(page, 'en');
    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await shoot(page, 'recovery-en');
    await giveCode(page, recoveryCode);
    await expect(page).toHaveURL(/\/zcbus\/(home)?$/);
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Two-step verification' }).click();
    const english = page.getByRole('dialog', { name: 'Two-step verification' });
    await expect(english.getByRole('definition').last()).toHaveText('9');
    await shoot(page, 'on-en');
    await page.keyboard.press('Escape');

    await page.goto(`${own.url}/zcbus/authority-management/user-management`);
    const row = page.getByRole('table', { name: 'Users' }).getByRole('row', { name: /olga/ });
    await expect(row).toBeVisible();
    await shoot(page, 'users-en');
    await row.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove two-step verification' }).click();
    const confirmation = page.getByRole('dialog', { name: /Remove the two-step verification of olga/ });
    await shoot(page, 'remove-en');
    await confirmation.getByRole('button', { name: 'Remove two-step verification' }).click();
    await expect(page.getByText('Two-step verification of olga removed')).toBeVisible();
    await page.goto('about:blank');
    await page.goto(`${own.url}/zcbus/login`);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await fillSignIn(page, 'olga', PASSWORD);
    await expect(page).toHaveURL(/\/zcbus\/(home)?$/);
  } finally {
    await page.close();
    await own.stop();
  }
});

/** A security key that the browser believes to be plugged in, and that is touched whenever it is asked. */
async function plugKey(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true },
  });
}

test('a security key: registered, signed in with, renamed and removed', { tag: '@wide' }, async ({
  page,
}) => {
  const own = await Platform.start({ password: PASSWORD, isNamed: true });
  try {
    await plugKey(page);
    await signIn(page, own);
    const open = async () => {
      await page.getByRole('button', { name: '用户菜单' }).click();
      await page.getByRole('menuitem', { name: '两步验证' }).click();
    };
    await open();
    const dialog = page.getByRole('dialog', { name: '两步验证' });
    await dialog.getByRole('tab', { name: '安全密钥' }).click();
    const form = dialog.getByRole('tabpanel', { name: '安全密钥' });
    await form.getByLabel('密钥名称').fill('蓝色密钥');
    await form.getByLabel('当前密码').fill(PASSWORD);
    await expectAccessible(page);
    await shoot(page, 'key-add-zh');
    await form.getByRole('button', { name: '注册安全密钥' }).click();
    await expect(dialog.getByRole('list', { name: '恢复码' }).getByRole('listitem')).toHaveCount(10);
    await dialog.getByRole('button', { name: '我已保存' }).click();
    await signOut(page);

    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await expect(page.getByRole('button', { name: '使用安全密钥' })).toBeFocused();
    await expectAccessible(page);
    await shoot(page, 'key-sign-in-zh');
    await page.getByRole('button', { name: '使用恢复码' }).click();
    await expect(page.getByLabel('恢复码')).toBeFocused();
    await page.getByRole('button', { name: '使用安全密钥' }).click();
    await page.getByRole('button', { name: '使用安全密钥' }).click();
    await expect(page).toHaveURL(/\/zcbus\/(home)?$/);

    await open();
    const keys = dialog.getByRole('list', { name: '安全密钥' }).getByRole('listitem');
    await expect(keys).toHaveText([/蓝色密钥.*最近使用/]);
    await expectAccessible(page);
    await shoot(page, 'keys-zh');
    await keys.getByRole('button', { name: '重命名' }).click();
    await dialog.getByLabel('密钥名称').fill('红色密钥');
    await dialog.getByRole('button', { name: '重命名' }).click();
    await expect(keys).toHaveText([/红色密钥/]);
    await keys.getByRole('button', { name: '移除' }).click();
    await expect(dialog.getByText('红色密钥 是唯一的第二因素')).toBeVisible();
    await shoot(page, 'key-remove-zh');
    await dialog.getByLabel('当前密码').fill(PASSWORD);
    await dialog.getByRole('button', { name: '移除' }).click();
    await expect(page.getByText('密钥已移除')).toBeVisible();
    await expect(dialog.getByRole('img', { name: '身份验证器二维码' })).toBeVisible();
  } finally {
    await page.close();
    await own.stop();
  }
});

test('a tenant requires two-step verification: who has none sets it up right after the password', {
  tag: '@wide',
}, async ({ page }) => {
  const own = await Platform.start({ password: PASSWORD });
  try {
    await signIn(page, own, '/customer');
    await page.getByRole('table', { name: '租户' }).getByRole('button', { name: '编辑' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('两步验证').click();
    await page.getByTitle('管理员必须使用').last().click();
    await shoot(page, 'tenant-zh');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    await signOut(page);
    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await expect(page.getByRole('img', { name: '身份验证器二维码' })).toBeVisible();
    await expectAccessible(page);
    await shoot(page, 'required-zh');
    const secret = (await page.locator('[data-secret]').textContent()) ?? '';
    await giveCode(page, codeOf(secret));
    await expect(page.getByRole('list', { name: '恢复码' }).getByRole('listitem')).toHaveCount(10);
    await expectAccessible(page);
    await shoot(page, 'required-codes-zh');
    await page.getByRole('button', { name: '我已保存' }).click();
    await expect(page).toHaveURL(/\/zcbus\/(home)?$/);
  } finally {
    await page.close();
    await own.stop();
  }
});
