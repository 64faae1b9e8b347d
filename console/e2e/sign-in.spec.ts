import type { Request } from '@playwright/test';
import {
  ADMINISTRATOR,
  expect,
  expectAccessible,
  fillSignIn,
  PASSWORD,
  signIn,
  signOut,
  slideTo,
  test,
  useLanguage,
} from './support/fixtures';
import { Platform } from './support/platform';

const words = {
  zh: {
    title: '数据交换平台',
    empty: ['账号不能为空', '密码不能为空', '验证码不能为空'],
    wrong: '用户名或密码错误',
    captchaWrong: '验证码错误',
    home: '首页',
  },
  en: {
    title: 'Data exchange platform',
    empty: ['Account must not be empty', 'Password must not be empty', 'Verification code must not be empty'],
    wrong: 'No corresponding user',
    captchaWrong: 'The verification code is wrong',
    home: 'Home',
  },
} as const;

for (const language of ['zh', 'en'] as const) {
  const word = words[language];

  test.describe(`signing in, ${language}`, () => {
    test.beforeEach(({ page }) => useLanguage(page, language));

    test('empty fields are named', async ({ page, platform }) => {
      await page.goto(`${platform.url}/zcbus/login`);
      await expect(page).toHaveTitle(word.title);
      await page.locator('button[type=submit]').click();
      for (const text of word.empty) await expect(page.getByText(text)).toBeVisible();
      await expect(page.locator('[name=userName]')).toBeFocused();
      await expectAccessible(page);
    });

    test('a wrong password is refused in the viewer’s language, and the picture changes', async ({
      page,
      platform,
    }) => {
      await page.goto(`${platform.url}/zcbus/login`);
      const before = await page.locator('.sign-in-captcha img').getAttribute('src');
      await fillSignIn(page, ADMINISTRATOR, 'Wrong12345');
      await expect(page.getByRole('alert')).toHaveText(word.wrong);
      await expect(page.locator('.sign-in-captcha img')).not.toHaveAttribute('src', before ?? '');
      await expect(page).toHaveURL(/\/zcbus\/login/);
    });

    test('the page that was asked for opens after signing in; signing out leads back', async ({
      page,
      platform,
    }) => {
      await page.goto(`${platform.url}/zcbus/home?from=link`);
      await expect(page).toHaveURL(/\/zcbus\/login\?redirect=%2Fhome%3Ffrom%3Dlink/);
      await page.getByRole('checkbox').check();
      await fillSignIn(page, ADMINISTRATOR, PASSWORD);
      await expect(page).toHaveURL(/\/zcbus\/home\?from=link/);
      await expect(page.getByRole('menuitem', { name: word.home })).toBeVisible();
      await page.goto(`${platform.url}/zcbus/login`);
      await expect(page).toHaveURL(/\/zcbus\/home$/);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
      await signOut(page, language);
      await expect(page).toHaveURL(/\/zcbus\/login$/);
      await expect(page.locator('[name=userName]')).toHaveValue(ADMINISTRATOR);
      expect(await page.evaluate(() => localStorage.getItem('ZCBUS-TOKEN'))).toBeNull();
    });
  });
}

test('switching the language reloads the page in the other one', async ({ page, platform }) => {
  await signIn(page, platform);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.getByRole('button', { name: '切换语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('menuitem', { name: 'Sync links' })).toBeVisible();
});

test('an unknown path shows the page for it, and a session that the server forgot leads to signing in', async ({
  page,
  platform,
}) => {
  await signIn(page, platform);
  await page.goto(`${platform.url}/zcbus/no-such-page`);
  await expect(page.getByText('页面不存在')).toBeVisible();
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('ZCBUS-TOKEN') ?? '{}').value);
  await page.request.post(`${platform.url}/api/zcbus/sys/authentication/logout`, {
    headers: { 'ZCBUS-TOKEN': token },
    data: { token },
  });
  // The console may learn of it by its socket first, and reload by itself in the midst of this.
  await page.reload().catch(() => undefined);
  await expect(page).toHaveURL(/\/zcbus\/login\?redirect=/);
  await expect(page.getByText('登录已过期，请重新登录')).toBeVisible();
});

test('the JavaScript of signing in and of the home page stays within its budget', async ({
  page,
  platform,
}) => {
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request);
  });
  /** Bytes of the scripts since it was asked last. */
  const loaded = async () => {
    const sizes = await Promise.all(scripts.splice(0).map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  };
  await page.goto(`${platform.url}/zcbus/login`, { waitUntil: 'networkidle' });
  const first = await loaded();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(130 * 1024);
  await fillSignIn(page, ADMINISTRATOR, PASSWORD);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await loaded()).toBeLessThanOrEqual(300 * 1024);
});

test.describe('on a platform of its own', () => {
  let own: Platform;
  test.beforeAll(async () => {
    own = await Platform.start({ captcha: true });
  });
  test.afterAll(() => own.stop());

  test('wrong digits are refused', async ({ page }) => {
    const puzzled = page.waitForResponse(/authentication\/slide$/);
    await page.goto(`${own.url}/zcbus/login`);
    await fillSignIn(page, ADMINISTRATOR, own.initialPassword(), 'none');
    const { data: puzzle } = await (await puzzled).json();
    await slideTo(page, Number(await own.captchaAnswer('slide', puzzle.uuid)));
    await expect(page.getByRole('alert')).toHaveText(words.zh.captchaWrong);
  });
});

test('the first sign-in demands a new password', async ({ page }) => {
  const own = await Platform.start();
  try {
    await page.goto(`${own.url}/zcbus/login`);
    await fillSignIn(page, ADMINISTRATOR, own.initialPassword());
    await expect(page).toHaveURL(/\/zcbus\/reset-password$/);
    await expectAccessible(page);
    await page.locator('[name=password]').fill('short');
    await page.locator('[name=confirmation]').fill('other');
    await page.locator('button[type=submit]').click();
    await expect(page.getByText('密码长度应为 8-16 位')).toBeVisible();
    await expect(page.getByText('两次输入的密码不一致')).toBeVisible();
    await page.locator('[name=password]').fill(PASSWORD);
    await page.locator('[name=confirmation]').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await expect(page.getByText('修改成功，即将重新登录')).toBeVisible();
    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await expect(page).toHaveURL(/\/zcbus\/home$/);
  } finally {
    await page.close();
    await own.stop();
  }
});
