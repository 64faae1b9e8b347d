import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, PASSWORD, signIn, test, useLanguage } from './support/fixtures';
import { Platform } from './support/platform';
import { SSH, SshHost } from './support/ssh-host';

/** What the terminal's window keeps for its head where it fills the screen. */
const FULL_SCREEN_HEAD = 96;

/** Text of a file that a page hands over. */
async function saved(page: Page, start: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('the table shows the operation log, arranged as the viewer likes it', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await useLanguage(page, 'en');
  await signIn(page, platform, '/vxe-table');
  const table = page.getByRole('table', { name: 'Operation log (by page)' });
  await expect(table.getByText('session_login').first()).toBeVisible();
  await expectAccessible(page);

  await table.getByRole('button', { name: 'Details' }).first().click();
  await expect(table.getByText('Before')).toBeVisible();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Path' }).check();
  await page.getByRole('checkbox', { name: 'User' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(table.getByRole('columnheader', { name: 'Path' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'User' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Export' }).click();
  const csv = await saved(page, () => page.getByRole('menuitem', { name: 'Export as CSV' }).click());
  expect(csv.name).toMatch(/^Operation log \(by page\) .*\.csv$/);
  expect(csv.bytes.toString('utf8')).toContain('session_login');
  await page.getByRole('button', { name: 'Export' }).click();
  const sheet = await saved(page, () => page.getByRole('menuitem', { name: 'Export as XLSX' }).click());
  // A spreadsheet of this kind is a zip archive.
  expect(sheet.bytes.subarray(0, 2).toString()).toBe('PK');
});

test('nothing is lost behind the fixed column of a narrow window', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, platform, '/vxe-table');
  const scroller = page.locator('.table-scroller');
  await expect(scroller).toBeVisible();
  await page.getByRole('button', { name: '显示列' }).click();
  await page.getByRole('checkbox', { name: '请求路径' }).check();
  const address = page.getByRole('checkbox', { name: /来源地址/ });
  // The window has no room for both.
  await expect(address).not.toBeChecked();
  await address.check();
  await page.keyboard.press('Escape');
  await expect(scroller).toHaveAttribute('data-hides-right');
  await expect(async () => {
    // Columns that have just come may still grow to what is in them.
    await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await expect(scroller).not.toHaveAttribute('data-hides-right', { timeout: 1000 });
  }).toPass({ timeout: 15_000 });
  const last = await page.getByRole('columnheader', { name: '请求路径' }).boundingBox();
  const fixed = await page.getByRole('columnheader', { name: '操作项' }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((fixed?.x ?? 0) + 1);
  // What a viewer chose is kept for the viewer: the next test begins with the page's own columns.
  // What was chosen above may be on its way only now, so the answer to that is not the one to wait for.
  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/sys/user-setting/save') &&
      !('visible' in answer.request().postDataJSON().value),
  );
  await page.getByRole('button', { name: '显示列' }).click();
  await page.getByRole('button', { name: '恢复默认列' }).click();
  await saved;
});

test('a column is pulled wider and stays so', { tag: '@wide' }, async ({ page, platform }) => {
  await useLanguage(page, 'en');
  await signIn(page, platform, '/vxe-table');
  const user = page.getByRole('columnheader', { name: 'User' });
  const before = await user.boundingBox();
  if (!before) throw new Error('The column has no place');
  const [x, y] = [before.x + before.width - 3, before.y + before.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await user.boundingBox())?.width).toBeCloseTo(before.width + 80, -1);
  await page.reload();
  await expect.poll(async () => (await user.boundingBox())?.width).toBeCloseTo(before.width + 80, -1);
});

test('rows are chosen over pages, and a file holds what the filter leaves', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await platform.addRecords(1000);
  await useLanguage(page, 'en');
  await signIn(page, platform, '/vxe-table?size=20&search=long-log');
  const boxes = page.getByRole('checkbox', { name: 'Select this row' });
  await expect(page.getByText('1,000 in total')).toBeVisible();
  await boxes.first().check();
  await page.getByRole('button', { name: 'Next page' }).click();
  // The rows of the page before stay in sight until the others have come; then no box is ticked.
  await expect(page.getByRole('cell', { name: '21', exact: true })).toBeVisible();
  await expect(boxes.first()).not.toBeChecked();
  await boxes.first().check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(boxes.first()).toBeChecked();
  await page.reload();
  await expect(boxes.first()).toBeChecked();
  await page.getByRole('button', { name: /Select all 1,?000/ }).click();
  await expect(page.getByText(/1,?000 selected/)).toBeVisible();

  await page.goto(`${platform.url}/zcbus/vxe-table?size=20&search=long-log&result=failed`);
  await expect(page.getByText('20 in total', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const csv = await saved(page, () => page.getByRole('menuitem', { name: 'Export as CSV' }).click());
  const lines = csv.bytes.toString('utf8').trim().split('\n');
  expect(lines).toHaveLength(21);
  expect(lines.slice(1).every((line) => line.includes('long-log'))).toBe(true);
});

test('everything at once, and one row chosen', { tag: '@wide' }, async ({ page, platform }) => {
  await signIn(page, platform, '/vxe-table2?size=-1');
  await expect(page.getByRole('table')).toBeVisible();
  await page.getByRole('radio').first().check();
  await expect(page.getByText('已选 1 项')).toBeVisible();
  await page.getByRole('textbox', { name: /用户、操作/ }).fill('没有这样的记录');
  await page.keyboard.press('Enter');
  await expect(page.getByText('没有更多数据')).toBeVisible();
});

const TABLES = `
  create table cities (id int primary key, name text not null);
  insert into cities select n, 'city ' || n from generate_series(1, 100) n;`;

test.describe('on a platform that has no other link', () => {
  let own: Platform;
  test.beforeAll(async () => {
    own = await Platform.start({ password: PASSWORD });
  });
  test.afterAll(() => own.stop());

  test('the components show a real link', { tag: '@wide' }, async ({ page, databases }) => {
    const server = await databases.start('postgresql');
    const source = await databases.create('postgresql', 'parts_source');
    await databases.execute('postgresql', source, TABLES);
    const target = await databases.create('postgresql', 'parts_target');
    const { kind, host, port, user, password } = server;
    const place = (database: string) => ({ kind, host, port, user, password, database });
    const tables = ['public.*'];
    await own.applyLink({
      link: 'cities',
      source: place(source),
      target: place(target),
      tables,
      clean: 'drop',
    });
    await useLanguage(page, 'en');
    await signIn(page, own, '/demo');
    const diagram = page.getByRole('figure', { name: 'Topology of the sync links' });
    await expect(diagram.getByRole('button', { name: /cities Publish service/ })).toBeVisible();
    await expect(diagram.getByRole('button', { name: new RegExp(target) })).toBeVisible();
    await diagram.getByRole('button', { name: 'Zoom in' }).click();
    await diagram.getByRole('button', { name: /cities Publish service/ }).click();
    await expect(page.getByRole('status').filter({ hasText: /^cities$/ })).toBeVisible();
    await page.getByRole('button', { name: 'Show as a table' }).first().click();
    await expect(page.getByRole('table', { name: /Rows applied/ })).toBeVisible();
    await page.mouse.move(0, 0);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Texts' }).click();
    await expect(page.getByRole('log').getByText('sync-link_apply_document')).toBeVisible();
    const editor = page.getByRole('textbox', { name: 'SQL editor' });
    await expect(editor).toContainText('FROM public.cities');
    await expect(page.getByRole('region', { name: 'cities.yaml' }).getByText(source)).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('tab', { name: 'Choices' }).click();
    await page.getByRole('combobox', { name: 'Subscribe list' }).click();
    await page.getByTitle('cities').last().click();
    await expect(page.getByRole('combobox', { name: 'Channels' })).toBeEnabled();
    await page.getByRole('button', { name: 'Choose a type' }).click();
    await expect(page.getByRole('button', { name: /Oracle/ })).toContainText(
      'Preview: not tried on a server',
    );
    await page.getByRole('button', { name: /MySQL/ }).click();
    await page.getByRole('button', { name: 'Test the source of link cities' }).click();
    await expect(page.getByRole('dialog').getByRole('row').nth(2)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expectAccessible(page);
  });

  test('a shell on a host, as large as the screen if wanted', { tag: '@wide' }, async ({ page }) => {
    const machine = await SshHost.start();
    await useLanguage(page, 'en');
    await signIn(page, own, '/demo?show=terminals');
    await page.getByRole('button', { name: /^Terminal: / }).click();
    await expect(page.getByRole('dialog')).toContainText('Say first how to sign in to this host');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: /^Connection to / }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('#host').fill('127.0.0.1');
    await drawer.locator('#port').fill(machine.port);
    await drawer.locator('#user').fill(SSH.user);
    await drawer.locator('#password').fill('wrong');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(drawer.getByText(/does not take this password/)).toBeVisible();
    await drawer.locator('#password').fill(SSH.password);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Modified successfully')).toBeVisible();

    await page.getByRole('button', { name: /^Terminal: / }).click();
    const window = page.getByRole('dialog');
    await expect(window).toContainText('你好 $');
    await page.keyboard.type('größe');
    await page.keyboard.press('Enter');
    await expect(window).toContainText('<größe>');
    await page.keyboard.type('size');
    await page.keyboard.press('Enter');
    await expect(window).toContainText(/\d+x28/);
    await window.getByRole('button', { name: 'Full screen' }).click();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    await window.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('size');
    await page.keyboard.press('Enter');
    await expect(window).toContainText(
      `${Math.floor(width / 10)}x${Math.floor((height - FULL_SCREEN_HEAD) / 16)}`,
    );
    await expectAccessible(page);
    await page.keyboard.type('exit');
    await page.keyboard.press('Enter');
    await expect(window).toContainText('The remote session has ended');
    await window.getByRole('button', { name: 'Connect again' }).click();
    await expect(window).toContainText('你好 $');
    await window.getByRole('button', { name: 'Close' }).click();
    await machine.stop();
  });

  test('the log of a service is shown and saved', { tag: '@wide' }, async ({ page }) => {
    await useLanguage(page, 'en');
    await signIn(page, own, '/demo?show=terminals');
    await page
      .getByRole('button', { name: /^Log of / })
      .first()
      .click();
    // Searched first; the terminal is one click further.
    await expect(page.getByRole('log')).toContainText('started');
    await page.getByRole('button', { name: 'Log terminal' }).click();
    const window = page.getByRole('dialog').filter({ has: page.locator('.xterm-rows') });
    await expect(window.locator('.xterm-rows')).toContainText('"component"');
    await window.getByRole('button', { name: 'Real-time log' }).click();
    const log = await saved(page, () => window.getByRole('button', { name: 'Download log' }).click());
    expect(log.name).toMatch(/^[0-9a-z]+\.log$/);
    expect(log.bytes.toString('utf8')).toContain('"component"');
  });

  test('double-clicking a service opens its link', { tag: '@wide' }, async ({ page }) => {
    await signIn(page, own, '/demo');
    await page.getByRole('button', { name: /cities 发布服务/ }).dblclick();
    await expect(page).toHaveURL(/\/sync-link-config\//);
  });
});
