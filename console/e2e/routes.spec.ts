import type { Page } from '@playwright/test';
import names from '../src/app/locales/zh/menu.json' with { type: 'json' };
import { pages } from '../src/app/pages';
import { redirects } from '../src/app/redirects';
import { specifiedRoutes } from '../src/app/routes';
import { menuKeys } from '../src/shared/pages/menu-keys';
import { expect, expectAccessible, expectDialog, signIn, test, useLanguage } from './support/fixtures';

const bare = ['/thirdpart-sign-in', '/servicepart-sign-in'];
/** What the specification names and what was built besides: a page that is added is walked by itself. */
const addresses = [...new Set([...specifiedRoutes, ...pages].map(({ path }) => path))]
  .map((path) => path.replace(':configType', 'mysql').replace(':type', 'client').replace(/:\w+/g, 'nothing'))
  .filter((path) => !bare.includes(path));

/** A page's skeleton has no text: it is there once its first figures are, however busy the machine. */
const LOADED = { timeout: 60_000 };

/** Where the button above the list opens what makes one more; other pages open the same. */
const making = [
  '/publish',
  '/subscribe',
  '/stream',
  '/container',
  '/data-service/api-group',
  '/data-service/api-app',
  '/system/service_management',
  '/authority-management/user-management',
  '/authority-management/role-management',
  '/authority-management/dept-management',
  '/authority-management/menu-management',
  '/customer',
];

/** As a link does it: without loading the console anew. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({}, '', address);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, `/zcbus${path}`);
}

/** As the page's title begins once it is in front: until then keys go to the one before. */
function nameOf(path: string): string {
  const title = pages.find((page) => page.path === path)?.title ?? '';
  return (names as Record<string, string>)[title] ?? `no page at ${path}`;
}

const notBuilt = { zh: /当前版本不提供/, en: /not available in this version/ } as const;

for (const language of ['zh', 'en'] as const) {
  test(`every route of the specification answers without an error and can be used by everybody, ${language}`, async ({
    page,
    platform,
  }) => {
    test.setTimeout(600_000);
    await useLanguage(page, language);
    await signIn(page, platform);
    for (const path of [...addresses, ...Object.keys(redirects)]) {
      await goTo(page, path);
      await expect(page.locator('.frame-pages > :not([hidden])').first(), path).not.toBeEmpty(LOADED);
      await expect(page.getByText(language === 'zh' ? '页面不存在' : 'Page not found'), path).toHaveCount(0);
      await expect(page, path).toHaveTitle(language === 'zh' ? /数据交换平台/ : /Data exchange platform/);
      // Pages that are not built all look alike; one of them is looked at below.
      const shown = page.locator('.frame-pages > :not([hidden])').first();
      if ((await shown.getByText(notBuilt[language]).count()) > 0) continue;
      await expectAccessible(page, path);
      // What they hold is the same in the other language, which the pages show.
      if (language === 'zh' && making.includes(path)) {
        await expect(page).toHaveTitle(`${nameOf(path)} - 数据交换平台`);
        await expectDialog(page, shown.locator('.table-bar-begin .ant-btn-primary').first(), path);
      }
    }
  });
}

test('what is not built says so, and is in no menu', async ({ page, platform }) => {
  await signIn(page, platform, '/task');
  await expect(page.getByText('任务计划：当前版本不提供')).toBeVisible();
  await expect(page).toHaveTitle('任务计划 - 数据交换平台');
  const menu = page.getByRole('navigation', { name: '主菜单' });
  await expect(menu.getByText('首页')).toBeVisible();
  await expect(menu.getByText('任务计划')).toHaveCount(0);
  expect(menuKeys).toContain('task');
  await expectAccessible(page);
});

test('an unknown address is not found, also under its own address', async ({ page, platform }) => {
  await signIn(page, platform, '/nowhere');
  await expect(page.getByText('页面不存在')).toBeVisible();
  await page.goto(`${platform.url}/zcbus/404`);
  await expect(page.getByText('页面不存在')).toBeVisible();
  await expectAccessible(page);
});

test('without a login, public addresses stay and the others remember where to', async ({
  page,
  platform,
}) => {
  await page.goto(`${platform.url}/zcbus/download-page`);
  await expect(page.getByRole('heading')).toHaveText('当前版本不提供此页面');
  await page.goto(`${platform.url}/zcbus/system/register?x=1#y`);
  await expect(page).toHaveURL(/\/login\?redirect=%2Fsystem%2Fregister%3Fx%3D1%23y$/);
});
