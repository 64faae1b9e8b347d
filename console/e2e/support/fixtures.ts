import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { storeKeys } from '../../src/shared/lib/store-keys';
import { Databases } from './databases';
import { Places } from './places';
import { Platform } from './platform';

export const ADMINISTRATOR = 'admin';
export const PASSWORD = 'Console1234';

const RULES = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const DAY = 24 * 60 * 60 * 1000;

interface WorkerFixtures {
  /** One platform for all tests of a file; the administrator signs in with PASSWORD, without captcha. */
  platform: Platform;
  databases: Databases;
  places: Places;
}

interface TestFixtures {
  /** Errors in the browser's console; a test fails when one is left here that it did not expect and remove. */
  browserErrors: string[];
}

/** An answer that is refused on purpose is written to the browser's console as well; that is no error of the page. */
const REFUSED_ANSWER =
  /Failed to load resource: the server responded with a status of 4\d\d|WebSocket handshake: Unexpected response code: 4\d\d/;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  platform: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const platform = await Platform.start({ password: PASSWORD });
      await use(platform);
      await platform.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  databases: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const databases = new Databases();
      await use(databases);
      await databases.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  places: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const places = new Places();
      await use(places);
      await places.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  browserErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !REFUSED_ANSWER.test(message.text())) errors.push(message.text());
      });
      await use(errors);
      expect(errors, 'errors in the browser console').toEqual([]);
    },
    { auto: true },
  ],
});

/** What a second round in English adds is left to `make soak`: the pages and their states are the same. */
export const englishLater = (language: 'zh' | 'en') => (language === 'en' ? { tag: '@soak' } : {});

/** Sets the language of every page that is opened from now on. */
export async function useLanguage(page: Page, language: 'zh' | 'en'): Promise<void> {
  await page.addInitScript((value) => {
    if (localStorage.getItem('locale') === null) localStorage.setItem('locale', JSON.stringify(value));
  }, language);
}

/** The page that is open, in the other language. */
export async function switchLanguage(page: Page, language: 'zh' | 'en'): Promise<void> {
  await page.evaluate((value) => localStorage.setItem('locale', JSON.stringify(value)), language);
  await page.reload();
}

/** The list of the page that is open needs no scrolling sideways in this window. */
export async function expectNothingBeside(page: Page): Promise<void> {
  const list = page.locator('.frame-page:not([hidden]) .table-scroller');
  const hidden = () => list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(hidden, 'pixels beside the window').toBe(0);
}

/**
 * Signs the administrator in and opens a page. The form is left out: tests of signing in fill it, all others would only
 * wait for it.
 */
export async function signIn(page: Page, platform: Platform, path = '/home'): Promise<void> {
  const body = { userName: ADMINISTRATOR, password: PASSWORD, code: '0000', uuid: '' };
  const login = `${platform.url}/api/zcbus/sys/authentication/login`;
  const { data } = await (await page.request.post(login, { data: body })).json();
  // A page of the same site, so that there is a storage to keep the session in.
  await page.goto(`${platform.url}/healthz`);
  await page.evaluate(
    ([keys, { token, user, customerList }, day]) => {
      const keep = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value));
      keep(keys.token, { value: token, expires: Date.now() + day });
      keep(keys.user, user);
      keep(keys.customers, customerList);
    },
    [storeKeys, data, DAY] as const,
  );
  await page.goto(`${platform.url}/zcbus${path}`);
  await page.waitForURL((url) => url.pathname === `/zcbus${path.split('?')[0]}`);
}

export async function fillSignIn(page: Page, user: string, password: string, code = '0000'): Promise<void> {
  await page.locator('[name=userName]').fill(user);
  await page.locator('[name=password]').fill(password);
  await page.locator('[name=code]').fill(code);
  await page.locator('button[type=submit]').click();
}

const signingOut = {
  zh: { userMenu: '用户菜单', signOut: '退出登录', exiting: '正在退出…' },
  en: { userMenu: 'User menu', signOut: 'Log out', exiting: 'Exiting...' },
} as const;

/** Signs out by the user menu, and waits for the confirmation. */
export async function signOut(page: Page, language: 'zh' | 'en' = 'zh'): Promise<void> {
  const word = signingOut[language];
  await page.getByRole('button', { name: word.userMenu }).click();
  await page.getByRole('menuitem', { name: word.signOut }).click();
  // It is said for two seconds, which a busy machine may take to come back from the click.
  const said = page.getByText(word.exiting).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: word.signOut }).click();
  await said;
}

/** Signs in where captcha and slide puzzle are asked for, solving both as a person would. */
export async function signInWithCaptcha(page: Page, platform: Platform, password: string): Promise<void> {
  const pictured = page.waitForResponse(/authentication\/code$/);
  await page.goto(`${platform.url}/zcbus/login`);
  const { data: picture } = await (await pictured).json();
  const puzzled = page.waitForResponse(/authentication\/slide$/);
  await fillSignIn(page, ADMINISTRATOR, password, await platform.captchaAnswer('digits', picture.uuid));
  const { data: puzzle } = await (await puzzled).json();
  await slideTo(page, Number(await platform.captchaAnswer('slide', puzzle.uuid)));
}

/** Drags the slider of the puzzle until the piece is `x` pixels from the left, and releases it. */
export async function slideTo(page: Page, x: number): Promise<void> {
  const slider = page.getByRole('slider');
  await expect(slider).toBeEnabled();
  const box = await slider.boundingBox();
  if (!box) throw new Error('The slider is not on the page');
  const thumb = 25;
  await page.mouse.move(box.x + thumb, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + thumb + x, box.y + box.height / 2, { steps: 12 });
  await page.mouse.up();
}

/**
 * Nothing on the page may break the accessibility rules that a machine can check.
 *
 * What fades in or out has too little contrast for a moment, so only a violation that stays counts.
 */
export async function expectAccessible(page: Page, where = '', part = 'html'): Promise<void> {
  await expect(async () => expect(await violationsOf(page, part), where).toEqual([])).toPass({
    timeout: 60_000,
  });
}

/** A hint is read with what it describes, wherever it is drawn: like a dialog it needs no landmark around it. */
const HINTS_BELONG = `;axe.configure({ checks: [{ id: "region", options: {
  regionMatcher: "dialog, [role=dialog], [role=alertdialog], svg, [role=tooltip]" } }] });`;

async function violationsOf(page: Page, part: string): Promise<string[]> {
  // The rules are half a megabyte: a page keeps them until it is loaded again.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(RULES + HINTS_BELONG);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run('${part}', { resultTypes: ["violations"] })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

const FOCUSED_DIALOG = '.ant-drawer-open:focus-within, .ant-modal-wrap:focus-within';

/**
 * The dialog that a button opens can be used by everybody, and by keyboard alone: it takes the focus, goes around in it at
 * either end, and Escape gives it back to the button.
 */
export async function expectDialog(page: Page, opener: Locator, where = ''): Promise<void> {
  await opener.focus();
  await page.keyboard.press('Enter');
  const focused = page.locator(FOCUSED_DIALOG);
  await expect(focused, where).toHaveCount(1);
  await expectAccessible(page, where, '[role=dialog]');
  for (const key of ['Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Tab', 'Tab', 'Tab']) {
    await page.keyboard.press(key);
    await expect(focused, `${where}: ${key}`).toHaveCount(1);
  }
  // One press, whatever hint is above the dialog.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog'), where).toHaveCount(0);
  await expect(opener, where).toBeFocused();
}

/** A database server of that kind; the test is skipped with the reason where this machine has none. */
export function startOrSkip(
  databases: Databases,
  kind: Parameters<Databases['start']>[0],
): ReturnType<Databases['start']> {
  return databases.start(kind).catch((error: Error) => {
    test.skip(/is not installed/.test(error.message), error.message);
    throw error;
  });
}

export { expect };
