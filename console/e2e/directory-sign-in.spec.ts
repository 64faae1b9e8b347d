import { Directory } from './support/directory';
import { expect, expectAccessible, PASSWORD, test, useLanguage } from './support/fixtures';
import { Platform } from './support/platform';

const words = {
  zh: {
    name: '账号',
    password: '密码',
    captcha: '验证码',
    signIn: '登录',
    hint: '也可以使用 House directory 的密码登录',
    wrong: '用户名或密码错误',
  },
  en: {
    name: 'Account',
    password: 'Password',
    captcha: 'Verification code',
    signIn: 'Sign in',
    hint: 'Your House directory password works as well',
    wrong: 'No corresponding user',
  },
} as const;

const OF_DIRECTORY = 'Of-the-directory-7';

let directory: Directory | undefined;
let own: Platform | undefined;
test.beforeAll(async () => {
  directory = await Directory.start('olga', OF_DIRECTORY);
  if (!directory) return;
  const settings = { ...directory.settings, ZCBUS_LDAP_NAME: 'House directory', ZCBUS_LOGIN_CAPTCHA: 'off' };
  own = await Platform.start({ password: PASSWORD, settings });
  await own.addAccount('olga');
});
test.afterAll(async () => {
  await own?.stop();
  await directory?.stop();
});

for (const language of ['zh', 'en'] as const) {
  const word = words[language];

  test(`the form takes the directory's password, ${language}`, { tag: '@wide' }, async ({ page }) => {
    test.skip(!directory, 'slapd is missing: Debian package slapd');
    await useLanguage(page, language);
    await page.goto(`${own?.url}/zcbus/login`);
    await expect(page.getByText(word.hint)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: word.name }).fill('olga');
    await page.getByLabel(word.captcha, { exact: true }).fill('0000');
    await page.getByLabel(word.password, { exact: true }).fill('wrong');
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/directory-${language}.png` });
    await page.getByRole('button', { name: word.signIn, exact: true }).click();
    await expect(page.getByRole('alert')).toContainText(word.wrong);
    await page.getByLabel(word.captcha, { exact: true }).fill('0000');
    await page.getByLabel(word.password, { exact: true }).fill(OF_DIRECTORY);
    await page.getByRole('button', { name: word.signIn, exact: true }).click();
    await expect(page).toHaveURL(/\/zcbus\/home$/);
    await expect(page.getByText('olga')).toBeVisible();
  });
}
