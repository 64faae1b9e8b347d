import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, PASSWORD, signIn, test, useLanguage } from './support/fixtures';
import { Platform } from './support/platform';

/** Text of a file that a page hands over. */
async function saved(page: Page, start: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('the table shows the operation log, arranged as the viewer likes it', async ({ page, platform }) => {
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

test('nothing is lost behind the fixed column of a narrow window', async ({ page, platform }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, platform, '/vxe-table');
  const scroller = page.locator('.table-scroller');
  await expect(scroller).toBeVisible();
  await page.getByRole('button', { name: '显示列' }).click();
  await page.getByRole('checkbox', { name: '请求路径' }).check();
  await page.getByRole('checkbox', { name: /来源地址/ }).check();
  await page.keyboard.press('Escape');
  await expect(scroller).toHaveAttribute('data-hides-right');
  await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expect(scroller).not.toHaveAttribute('data-hides-right');
  const last = await page.getByRole('columnheader', { name: '请求路径' }).boundingBox();
  const fixed = await page.getByRole('columnheader', { name: '操作项' }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((fixed?.x ?? 0) + 1);
});

test('a column is pulled wider and stays so', async ({ page, platform }) => {
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

test('everything at once, and one row chosen', async ({ page, platform }) => {
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

  test('the components show a real link', async ({ page, databases }) => {
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
    await expect(page.getByRole('button', { name: /Kafka/ })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: /MySQL/ }).click();
    await page.getByRole('button', { name: 'Test the source of link cities' }).click();
    await expect(page.getByRole('dialog').getByRole('row').nth(2)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await expectAccessible(page);
  });

  test('double-clicking a service opens its link', async ({ page }) => {
    await signIn(page, own, '/demo');
    await page.getByRole('button', { name: /cities 发布服务/ }).dblclick();
    await expect(page).toHaveURL(/\/sync-link-config\//);
  });
});
