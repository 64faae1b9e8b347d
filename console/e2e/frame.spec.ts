import type { Locator, Page } from '@playwright/test';
import {
  ADMINISTRATOR,
  expect,
  expectAccessible,
  fillSignIn,
  PASSWORD,
  signIn,
  signOut,
  test,
  useLanguage,
} from './support/fixtures';
import { Issuer } from './support/issuer';
import { Platform } from './support/platform';

const tabs = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' });
const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' });

/** Opens the form of a new publish node and fills one field of it, which is returned. */
async function halfFill(page: Page, platform: Platform): Promise<Locator> {
  await signIn(page, platform, '/publish');
  await page.getByRole('button', { name: '新建发布节点' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'PostgreSQL' }).click();
  const host = page.getByLabel('主机', { exact: true });
  await host.fill('db.example.org');
  return host;
}

test('pages stay as they were left, scroll and all, and are closed by mouse and keyboard', async ({
  page,
  platform,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await signIn(page, platform, '/resource/article?name=tutorial');
  const area = page.locator('.frame-page:not([hidden])');
  await expect(page.getByRole('heading', { name: '教程：十分钟复制自己的数据' })).toBeVisible();
  await area.evaluate((element) => element.scrollTo({ top: 150 }));
  await expect(page.getByRole('button', { name: '回到顶部' })).toBeVisible();
  await menu(page).getByText('同步任务').click();
  await expect(tabs(page).getByRole('button', { name: '同步任务', exact: true })).toBeVisible();
  await tabs(page).getByRole('button', { name: '帮助文章', exact: true }).click();
  await expect.poll(() => area.evaluate((element) => element.scrollTop)).toBe(150);
  await page.getByRole('button', { name: '回到顶部' }).click();
  await expect.poll(() => area.evaluate((element) => element.scrollTop)).toBe(0);
  await expect(page.getByRole('button', { name: '回到顶部' })).toHaveCount(0);

  await tabs(page).getByRole('button', { name: '首页' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tabs(page).getByRole('button', { name: '帮助文章', exact: true })).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(page).toHaveURL(/\/sync-task$/);
  // The address is changed before the page is in front.
  await expect(tabs(page).getByRole('button', { name: '同步任务', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await tabs(page).getByRole('button', { name: '关闭“同步任务”' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await page.keyboard.press('Delete');
  await expect(tabs(page).getByRole('button', { name: '首页' })).toBeVisible();
});

test('the page that is open has its tab in sight, however many there are', async ({ page, platform }) => {
  await page.setViewportSize({ width: 700, height: 500 });
  await signIn(page, platform, '/sync-link');
  const last = tabs(page).getByRole('button', { name: '免责声明', exact: true });
  for (const path of ['/sync-task', '/customer', '/resource/article', '/disclaimers'])
    await page.goto(`${platform.url}/zcbus${path}`);
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.goto(`${platform.url}/zcbus/home`);
  await expect(last).not.toBeInViewport();
});

test('the marked entry of the menu is in sight in a low window, by address and by its tab, until the viewer scrolls', async ({
  page,
  platform,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, platform, '/monitor/operation-log');
  const marked = menu(page).locator('.ant-menu-item-selected');
  await expect(marked).toHaveText('操作日志');
  await expect(marked).toBeInViewport({ ratio: 1 });
  // Its submenu is closed at first, and opens with the page.
  await page.goto(`${platform.url}/zcbus/home`);
  await expect(marked).toHaveText('首页');
  await tabs(page).getByRole('button', { name: '操作日志', exact: true }).click();
  await expect(marked).toHaveText('操作日志');
  await expect(marked).toBeInViewport({ ratio: 1 });
  await menu(page).hover();
  await page.mouse.wheel(0, -2000);
  const first = menu(page).getByText('首页', { exact: true });
  await expect(first).toBeInViewport();
  await menu(page).getByText('策略管理', { exact: true }).click();
  await expect(menu(page).getByText('策略分发', { exact: true })).toBeVisible();
  await expect(first).toBeInViewport();
});

test('the tab menu closes the others, then all but home', async ({ page, platform }) => {
  await signIn(page, platform, '/sync-link');
  await menu(page).getByText('同步任务').click();
  // Its tab is there once the page is; the address is changed before.
  await expect(tabs(page).getByRole('button', { name: '同步任务', exact: true })).toBeVisible();
  await expect(tabs(page).getByRole('button', { name: '同步链路', exact: true })).toBeVisible();
  await page.getByRole('button', { name: '标签页操作' }).click();
  await page.getByRole('menuitem', { name: '关闭其他' }).click();
  await expect(tabs(page).getByRole('button', { name: '同步链路', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: '标签页操作' }).focus();
  await page.keyboard.press('Enter');
  // Shown first, and given the focus some frames later: keys before that go to the button.
  await expect(page.getByRole('menu').locator(':focus')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: '关闭所有' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/home$/);
  await expect(tabs(page).getByRole('button', { name: '同步任务', exact: true })).toHaveCount(0);
});

test('a half-filled form is not dropped unasked: by the menu, the back button, its tab, or another language', async ({
  page,
  platform,
}) => {
  await useLanguage(page, 'zh');
  const host = await halfFill(page, platform);
  const dialog = page.getByRole('dialog', { name: '放弃未保存的修改？' });
  const stay = async () => {
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(host).toHaveValue('db.example.org');
    await expect(page).toHaveURL(/database-config/);
  };
  await menu(page).getByText('同步任务').click();
  await expectAccessible(page);
  await stay();
  await page.goBack();
  await stay();
  await page.goBack();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await stay();
  await page.evaluate(() => {
    history.back();
    history.back();
  });
  await stay();
  await page.getByRole('button', { name: /^关闭“新建/ }).click();
  await stay();
  await page.getByRole('button', { name: '标签页操作' }).click();
  await page.getByRole('menuitem', { name: '关闭所有' }).click();
  await stay();
  await page.getByRole('button', { name: '切换语言' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await stay();
  const unload = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const question = await unload;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closing;
  await expect(host).toHaveValue('db.example.org');

  await page.getByRole('button', { name: /^关闭“新建/ }).click();
  await dialog.getByRole('button', { name: '放弃修改' }).click();
  await expect(page).toHaveURL(/\/publish$/);
  await expect(page.getByRole('button', { name: /^关闭“新建/ })).toBeHidden();
});

test('a half-filled form that is given up by the back button is left for where the button leads, and forward is new', async ({
  page,
  platform,
}) => {
  await useLanguage(page, 'zh');
  const host = await halfFill(page, platform);
  await page.goBack();
  await page.getByRole('button', { name: '放弃修改' }).click();
  await expect(page).toHaveURL(/\/publish$/);
  await expect(host).toBeHidden();
  await page.goForward();
  await expect(page).toHaveURL(/database-config/);
  await expect(host).toHaveValue('');
});

test('the menu remembers its last entry and whether it is collapsed', async ({ page, platform }) => {
  await signIn(page, platform, '/sync-task');
  await page.getByRole('button', { name: '收起菜单' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: '展开菜单' })).toBeVisible();
  await page.getByRole('button', { name: '展开菜单' }).click();
  await expect(page.getByText('单机版')).toBeVisible();
  await expect(page.getByText(/^版本 \d/)).toBeVisible();
  await menu(page).getByText('资源工具').click();
  await expect(menu(page).getByText('帮助文章')).toBeVisible();
  // An address without a page.
  await page.goto(`${platform.url}/zcbus/no-such-page`);
  await expect(menu(page).getByRole('menuitem', { name: '同步任务' })).toHaveClass(/selected/);
});

test('a viewer has the console as chosen, at once and in every browser', async ({
  page,
  platform,
  browser,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await signIn(page, platform, '/sync-link');
  const choose = async (name: string) => page.getByRole('dialog').getByLabel(name, { exact: true }).click();
  await page.getByRole('button', { name: '用户菜单' }).click();
  await page.getByRole('menuitem', { name: '界面设置' }).click();
  await page.getByRole('dialog').getByText('深色', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(14, 17, 22)');
  await choose('页签栏');
  await expect(tabs(page)).toHaveCount(0);
  await choose('菜单上方的标识');
  await expect(page.locator('.frame-brand')).toHaveCount(0);
  await choose('页脚');
  await expect(page.getByRole('contentinfo')).toHaveText('数据交换平台');
  await choose('只展开一个子菜单');
  const saved = page.waitForResponse(/user-setting\/save$/);
  await choose('固定页头');
  await saved;
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const head = page.getByRole('banner');
  await expect(head).toBeInViewport();
  await page.locator('.frame-body').evaluate((element) => element.scrollTo({ top: 1000 }));
  await expect(head).not.toBeInViewport();

  const elsewhere = await browser.newPage({ locale: 'zh-CN', colorScheme: 'light' });
  await signIn(elsewhere, platform, '/sync-link');
  await expect(elsewhere.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(elsewhere.getByRole('contentinfo')).toBeVisible();
  await elsewhere.getByRole('button', { name: '用户菜单' }).click();
  await elsewhere.getByRole('menuitem', { name: '界面设置' }).click();
  const reset = elsewhere.waitForResponse(/user-setting\/save$/);
  await elsewhere.getByRole('button', { name: '恢复默认' }).click();
  await expect(elsewhere.locator('html')).toHaveAttribute('data-theme', 'light');
  await reset;
  await expect(tabs(elsewhere)).toBeVisible();
  await elsewhere.close();
});

test('tools open articles and disclaimers in tabs of the browser, in the language in use', async ({
  page,
  platform,
  context,
}) => {
  await context.addInitScript(() => localStorage.setItem('locale', '"en"'));
  await signIn(page, platform);
  for (const [tool, heading] of [
    ['Help articles', 'ZCBUS documentation'],
    ['Disclaimers', 'Disclaimers'],
  ] as const) {
    await page.getByRole('button', { name: 'Tools' }).click();
    const opened = context.waitForEvent('page');
    await page.getByRole('menuitem', { name: tool, exact: true }).click();
    const other = await opened;
    await expect(other.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expectAccessible(other);
    await other.close();
  }
  await page.getByRole('button', { name: 'Tools' }).click();
  await page.getByRole('menuitem', { name: 'Encryption tool' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('an article leads to another one, at the heading that is meant', async ({ page, platform }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await useLanguage(page, 'en');
  await signIn(page, platform, '/resource/article?name=how-to/console-link');
  await page.getByRole('link', { name: 'append-only', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Prepare databases', level: 1 })).toBeAttached();
  await expect(page.getByRole('heading', { name: 'Tables without a primary key' })).toBeInViewport();
});

test('an article is chosen by its title', async ({ page, platform }) => {
  await signIn(page, platform, '/resource/article');
  await page.getByRole('navigation', { name: '帮助文章' }).getByRole('link', { name: '操作单张表' }).click();
  await expect(page.getByRole('heading', { name: '操作单张表', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/name=how-to%2Ftables/);
  await page.reload();
  await expect(page.getByRole('heading', { name: '操作单张表', level: 1 })).toBeVisible();
});

test('the user menu shows what is used of the registration', async ({ page, platform }) => {
  await useLanguage(page, 'en');
  await signIn(page, platform);
  await expect(page.getByText(/^36\d days left$/)).toBeVisible();
  await page.getByRole('button', { name: 'User menu' }).click();
  await expect(page.getByText('Tables used')).toBeVisible();
  await expect(page.getByText('0 / 10')).toBeVisible();
  await expect(page.getByText('0 / no limit')).toBeVisible();
  await expectAccessible(page);
});

test('logging out leads back to the portal that the viewer came from', async ({ page, platform }) => {
  const portal = `${platform.url}/healthz`;
  await platform.takeFrom(portal);
  await page.goto(`${platform.url}/zcbus/login?sourceUrl=${encodeURIComponent(portal)}`);
  await fillSignIn(page, ADMINISTRATOR, PASSWORD);
  await page.waitForURL('**/home');
  await signOut(page);
  await page.waitForURL(portal);
});

test('a platform without sign-in offers no log-out; users with the right see that it is unregistered, and register it', async ({
  page,
}) => {
  const issuer = new Issuer();
  const own = await Platform.start({
    password: PASSWORD,
    registeredDays: null,
    settings: { ZCBUS_LOGIN_FREE: 'guest', ZCBUS_REGISTRATION_KEY: issuer.publicKey },
  });
  try {
    await own.addAccount('guest');
    await page.goto(`${own.url}/zcbus/sync-task`);
    await page.waitForURL('**/sync-task');
    await page.getByRole('button', { name: '用户菜单' }).click();
    await expect(page.getByRole('menuitem', { name: '修改密码' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: '退出登录' })).toHaveCount(0);
    await expect(page.getByText('未注册')).toHaveCount(0);
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${own.url}/zcbus/login?account`);
    await fillSignIn(page, ADMINISTRATOR, PASSWORD);
    await expect(page.locator('.frame-header').getByText('未注册')).toBeVisible();
    await expect(page.getByText('注册码无效，请重新申请')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: '用户菜单' }).click();
    await expect(page.getByRole('menuitem', { name: '退出登录' })).toBeVisible();
    await enterCodes(page, own.url, issuer);
  } finally {
    await page.close();
    await own.stop();
  }
});

/** One of another issuer is refused, the right one is taken. */
async function enterCodes(page: Page, url: string, issuer: Issuer): Promise<void> {
  await page.goto(`${url}/zcbus/system/register`);
  const enter = page.getByRole('button', { name: '录入注册码' });
  const code = page.getByLabel('注册码', { exact: true });
  await enter.click();
  await code.fill(new Issuer().code(100));
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText(/注册码的签名与 ZCBUS_REGISTRATION_KEY 不符/)).toBeVisible();
  await code.fill(issuer.code(100));
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('注册成功：Browser tests')).toBeVisible();
  await expect(page.locator('.frame-header').getByText('剩余 99 天')).toBeVisible();
  await expect(page.getByText('0 / 10')).toBeVisible();
  await expectAccessible(page);
}

test('an installation without a key and a code is the community edition', async ({ page }) => {
  await useLanguage(page, 'en');
  const own = await Platform.start({ password: PASSWORD, registeredDays: null });
  try {
    await signIn(page, own, '/system/register');
    await expect(page.locator('.frame-header').getByText('Community edition')).toBeVisible();
    await expect(page.getByText('No end date')).toBeVisible();
    await expect(page.locator('.frame-notice')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Enter code' })).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible(page);
  } finally {
    await page.close();
    await own.stop();
  }
});

test('a registration that ends soon is shown by tag and notice', async ({ page }) => {
  const own = await Platform.start({ password: PASSWORD, registeredDays: 10 });
  try {
    await signIn(page, own);
    await expect(page.locator('.frame-header').getByText(/^即将过期（剩余 \d+ 天）$/)).toBeVisible();
    await expect(page.getByText(/^注册码将于 .* 过期，剩余 \d+ 天$/)).toBeVisible();
    await expectAccessible(page);
  } finally {
    await page.close();
    await own.stop();
  }
});
