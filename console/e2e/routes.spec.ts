import type { Page } from '@playwright/test';
import { pages } from '../src/app/pages';
import { redirects } from '../src/app/redirects';
import {
  englishLater,
  expect,
  expectAccessible,
  expectDialog,
  signIn,
  test,
  useLanguage,
} from './support/fixtures';

/** Every page, and others that the specification names: an added page is walked automatically. */
const concrete = (path: string) =>
  path.replace(':configType', 'mysql').replace(':type', 'client').replace(/:\w+/g, 'nothing');
const addresses = pages.map(({ path }) => concrete(path));

/** However busy the machine. */
const LOADED = { timeout: 60_000 };

/** Parameters are only edited: what is made on their page are dictionaries, on another tab, as are the receivers of
 * messages. SQL is written before it is saved, a link has the wizard's page, and articles their list behind a tab. The
 * drawers of the others have tests of their own. */
const madeElsewhere: readonly string[] = [
  '/resource/article',
  '/sync-link',
  '/system/bus-sys-parameter',
  '/system/message-management',
  '/resource/sqlManagement',
];

/** Where something can be made, the button above the list opens what makes one more. */
const making = pages.filter(
  ({ path, menu }) =>
    typeof menu === 'object' && menu.operations.includes('create') && !madeElsewhere.includes(path),
);

/** As a link does it: without loading the console again. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({}, '', address);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, `/zcbus${path}`);
}

/**
 * Waits for the page that an address brings to the front. The one before stays there until its code is loaded, so it was
 * marked as walked; a page whose first figures are not there yet has no text.
 */
async function untilInFront(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const shown = document.querySelector<HTMLElement>('.frame-pages > :not([hidden])');
      if (!shown?.textContent.trim() || shown.dataset.walked) return false;
      shown.dataset.walked = 'yes';
      return true;
    },
    undefined,
    LOADED,
  );
}

/** Pages that were walked are checked again: redirects lead to them. */
async function forgetWalked(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-walked]')) delete one.dataset.walked;
  });
}

const brand = { zh: '数据交换平台', en: 'Data exchange platform' } as const;

for (const language of ['zh', 'en'] as const) {
  test(
    `every route of the specification answers without an error and can be used by everybody, ${language}`,
    englishLater(language),
    async ({ page, platform }) => {
      test.setTimeout(600_000);
      await useLanguage(page, language);
      // Contrasts are checked in both themes: the dark ones by `make soak`.
      await page.emulateMedia({ colorScheme: language === 'zh' ? 'light' : 'dark' });
      await signIn(page, platform);
      for (const path of [...addresses, ...Object.keys(redirects)]) {
        // Redirects lead to pages that were walked.
        if (path in redirects) await forgetWalked(page);
        await goTo(page, path);
        await untilInFront(page);
        await expect(page.getByText(language === 'zh' ? '页面不存在' : 'Page not found'), path).toHaveCount(
          0,
        );
        await expect(page, path).toHaveTitle(new RegExp(brand[language]));
        await expectAccessible(page, path);
        // What they hold is the same in the other language, which the pages show.
        const made = making.find((candidate) => candidate.path === path);
        if (language === 'zh' && made) {
          const shown = page.locator('.frame-pages > :not([hidden])').first();
          await expectDialog(page, shown.locator('.table-bar-begin .ant-btn-primary').first(), path);
        }
      }
    },
  );
}

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
  await expect(page.getByRole('heading', { level: 1 })).toContainText('下载：版本');
  await page.goto(`${platform.url}/zcbus/system/register?x=1#y`);
  await expect(page).toHaveURL(/\/login\?redirect=%2Fsystem%2Fregister%3Fx%3D1%23y$/);
});
