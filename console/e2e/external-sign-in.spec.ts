import {
  englishLater,
  expect,
  expectAccessible,
  PASSWORD,
  signOut,
  test,
  useLanguage,
} from './support/fixtures';
import { IdentityProvider } from './support/identity-provider';
import { Platform } from './support/platform';
import { SamlProvider } from './support/saml-provider';

const words = {
  zh: {
    with: '使用 House ID 登录',
    saml: '使用 House SAML 登录',
    ticket: '使用服务票据登录',
    unknown: '账号 stranger 在本系统中不存在',
    over: '登录已超时',
    again: '重试',
    back: '返回登录',
  },
  en: {
    with: 'Sign in with House ID',
    saml: 'Sign in with House SAML',
    ticket: 'Sign in with a service ticket',
    unknown: 'No account stranger may sign in this way',
    over: 'The sign-in took too long',
    again: 'Try again',
    back: 'Back to sign-in',
  },
} as const;

let provider: IdentityProvider;
let saml: SamlProvider | undefined;
let own: Platform;
test.beforeAll(async () => {
  [provider, saml] = await Promise.all([IdentityProvider.start(), SamlProvider.start('House SAML')]);
  own = await Platform.start({
    password: PASSWORD,
    settings: {
      ZCBUS_OIDC_ISSUER: provider.address,
      ZCBUS_OIDC_CLIENT_ID: 'zcbus',
      ZCBUS_OIDC_CLIENT_SECRET: 'client-secret',
      ZCBUS_OIDC_NAME: 'House ID',
      ZCBUS_CAS_URL: `${provider.address}/cas`,
      ...saml?.settings,
    },
  });
  await saml?.trust(own.url);
  await own.addAccount('olga');
  await own.addAccount('rita', 'remote');
});
test.afterAll(async () => {
  await own.stop();
  await provider.stop();
  await saml?.stop();
});

for (const language of ['zh', 'en'] as const) {
  const word = words[language];

  test.describe(`signing in elsewhere, ${language}`, englishLater(language), () => {
    test.beforeEach(({ page }) => useLanguage(page, language));

    test('the identity provider lets its people in, to the page they asked for', async ({ page }) => {
      await page.goto(`${own.url}/zcbus/sync-task?search=x`);
      await expect(page.getByRole('link', { name: word.with })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('link', { name: word.with }).click();
      await page.getByLabel('Name').fill('olga');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page).toHaveURL(/\/zcbus\/sync-task\?search=x/);
      await expect(page.getByText('olga')).toBeVisible();
    });

    test('a user without an account here gets a message and may return', async ({ page }) => {
      await page.goto(`${own.url}/zcbus/thirdpart-sign-in`);
      await page.getByLabel('Name').fill('stranger');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('alert')).toContainText(word.unknown);
      await expectAccessible(page);
      await page.getByRole('link', { name: word.back }).click();
      await expect(page).toHaveURL(/\/zcbus\/login$/);
    });

    test('an answer that this browser did not ask for is refused, and another try works', async ({
      page,
    }) => {
      await page.goto(`${own.url}/zcbus/thirdpart-sign-in?code=stolen&state=foreign`);
      await expect(page.getByRole('alert')).toContainText(word.over);
      expect(await page.evaluate(() => localStorage.getItem('ZCBUS-TOKEN'))).toBeNull();
      await page.getByRole('link', { name: word.again }).click();
      await page.getByLabel('Name').fill('olga');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page).toHaveURL(/\/zcbus\/home$/);
    });

    test('SAML lets people with an account in, once for each time they ask', async ({ page }) => {
      test.skip(!saml, 'xmlsec1 is missing: Debian package xmlsec1');
      const signIn = async (name: string) => {
        await page.getByLabel('Name').fill(name);
        await page.getByRole('button', { name: 'Continue' }).click();
      };
      await page.goto(`${own.url}/zcbus/sync-task?search=x`);
      await expect(page.getByRole('link', { name: word.saml })).toBeVisible();
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/saml-link-${language}.png` });
      await page.getByRole('link', { name: word.saml }).click();
      await signIn('stranger');
      await expect(page.getByRole('alert')).toContainText(word.unknown);
      await expectAccessible(page);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/saml-${language}.png` });
      // The ticket was this tab's, and is used up.
      await page.reload();
      await expect(page.getByRole('alert')).toContainText(word.over);
      await page.getByRole('link', { name: word.again }).click();
      await signIn('olga');
      await expect(page).toHaveURL(/\/zcbus\/sync-task\?search=x/);
      await expect(page.getByText('olga')).toBeVisible();
    });

    test('a service ticket opens a session', async ({ page }) => {
      await page.goto(`${own.url}/zcbus/login`);
      await page.getByRole('link', { name: word.ticket }).click();
      await page.getByLabel('Name').fill('olga');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page).toHaveURL(/\/zcbus\/home$/);
      await expect(page.getByText('olga')).toBeVisible();
    });
  });
}

for (const way of [words.zh.with, words.zh.ticket]) {
  test(`who comes from a portal and signs in elsewhere (${way}) goes back there when logging out`, async ({
    page,
  }) => {
    const portal = `${own.url}/healthz`;
    await own.takeFrom(portal);
    await page.goto(`${own.url}/zcbus/login?sourceUrl=${encodeURIComponent(portal)}`);
    await page.getByRole('link', { name: way }).click();
    await page.getByLabel('Name').fill('olga');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/home');
    await signOut(page);
    await page.waitForURL(portal);
  });
}

test('a remote client is at home on the index page, and nothing else is in its menu', async ({ page }) => {
  await page.goto(`${own.url}/zcbus/thirdpart-sign-in`);
  await page.getByLabel('Name').fill('rita');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/index');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const menu = page.getByRole('navigation', { name: '主菜单' });
  await expect(menu.getByRole('menuitem')).toHaveText(['首页', '索引页', '资源工具', '免责声明']);
  await menu.getByRole('menuitem', { name: '免责声明' }).click();
  await page.waitForURL('**/disclaimers');
  await menu.getByRole('menuitem', { name: '首页' }).click();
  await page.waitForURL('**/index');
  await page.goto(`${own.url}/zcbus/home`);
  await page.waitForURL('**/index');
  await page.goto(`${own.url}/zcbus/sync-link`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('没有访问权限');
  await page.getByRole('button', { name: /^告警/ }).click();
  await expect(page.getByRole('dialog').getByRole('tab', { name: /未读/ })).toBeVisible();
  await expect(page.getByRole('button', { name: '投递消息' })).toHaveCount(0);
});
