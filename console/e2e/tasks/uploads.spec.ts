import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
} from '../support/fixtures';
import { rowOf } from './wizard';

const SLOW = { timeout: 60_000 };
const PATH = '/resource/uploads';
const ROWS = Buffer.from('id,name\n1,one\n2,two\n');
/** A picture of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
/** An archive with a manifest and the first bytes of a class. */
const JAR = Buffer.from(
  'UEsDBBQAAAAIAHNgfF2yfwLuGwAAABkAAAAUAAAATUVUQS1JTkYvTUFOSUZFU1QuTUbzTczLTEstLtENSy0qzszPs1Iw1DPg5eLlAgBQSwMEFAAAAAgAc2B8XR1XHbUGAAAABAAAAAcAAABBLmNsYXNzO/Vv1z4AUEsBAhQDFAAAAAgAc2B8XbJ/Au4bAAAAGQAAABQAAAAAAAAAAAAAAIABAAAAAE1FVEEtSU5GL01BTklGRVNULk1GUEsBAhQDFAAAAAgAc2B8XR1XHbUGAAAABAAAAAcAAAAAAAAAAAAAAIABTQAAAEEuY2xhc3NQSwUGAAAAAAIAAgB3AAAAeAAAAAAA',
  'base64',
);

async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

test('a file is uploaded, read back and deleted; a picture of the user is in the frame', {
  tag: '@wide',
}, async ({ page, platform }) => {
  test.setTimeout(240_000);
  await test.step('an empty list says what it is for', async () => {
    await signIn(page, platform, PATH);
    await expect(page.getByText('还没有文件')).toBeVisible();
    await shoot(page, 'uploads-empty-zh');
  });

  const drawer = page.getByRole('dialog', { name: '上传' });
  await test.step('what a file is not is refused', async () => {
    await page.getByRole('button', { name: /上传$/ }).click();
    const markup = Buffer.from('<html><script>alert(1)</script></html>');
    await drawer
      .locator('#upload-file')
      .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: markup });
    await drawer.getByRole('button', { name: '上传文件' }).click();
    await expect(drawer.getByRole('alert')).toContainText('rows.csv', SLOW);
    await shoot(page, 'uploads-refused-zh');
  });

  await test.step('a file of rows is taken and read back', async () => {
    await drawer
      .locator('#upload-file')
      .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: ROWS });
    await drawer.getByRole('button', { name: '上传文件' }).click();
    await expect(drawer).toBeHidden(SLOW);
    const row = rowOf(page, 'rows.csv');
    await expect(row).toContainText('CSV');
    const saved = page.waitForEvent('download');
    await row.getByRole('button', { name: '下载' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('rows.csv');
    const stream = await file.createReadStream();
    expect(Buffer.concat(await stream.toArray()).equals(ROWS)).toBe(true);
  });

  await test.step('the list in English, narrow and wide', async () => {
    await switchLanguage(page, 'en');
    await expect(page.getByRole('button', { name: /Upload$/ })).toBeVisible();
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNothingBeside(page);
      await shoot(page, `uploads-list-en-${width}`);
    }
    await expectAccessible(page);
  });

  await test.step('a file is deleted', async () => {
    await rowOf(page, 'rows.csv').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No files yet')).toBeVisible(SLOW);
  });

  await test.step('the picture of the user is in the frame', async () => {
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Personal information' }).click();
    const dialog = page.getByRole('dialog', { name: 'Personal information' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: DOT });
    await expect(dialog.getByRole('img', { name: 'Picture' })).toBeVisible(SLOW);
    await shoot(page, 'avatar-en');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.locator('.frame-avatar')).toBeVisible();
    await shoot(page, 'avatar-frame-en');
  });
});

test('a driver is uploaded, kept by its host, and removed', { tag: '@wide' }, async ({ page, platform }) => {
  test.setTimeout(240_000);
  const drawer = page.getByRole('dialog', { name: '新增驱动' });
  await test.step('what is no driver is refused', async () => {
    await signIn(page, platform, '/resource/drivers');
    await expect(page.getByText('还没有驱动')).toBeVisible();
    await shoot(page, 'drivers-empty-zh');
    await page.getByRole('button', { name: '新增驱动' }).click();
    await drawer.locator('input[type=file]').setInputFiles({
      name: 'shop-9.1.jar',
      mimeType: 'application/java-archive',
      buffer: Buffer.from('no archive'),
    });
    await expect(drawer.getByLabel('版本')).toHaveValue('9.1');
    await drawer.getByRole('button', { name: '上传并分发' }).click();
    await expect(drawer.getByText('请先比较校验和')).toBeVisible();
    await drawer.getByLabel('已与发布者公布的校验和比较').check();
    await drawer.getByRole('button', { name: '上传并分发' }).click();
    await expect(page.getByRole('alert').filter({ hasText: /shop-9\.1\.jar/ })).toBeVisible(SLOW);
    await expectAccessible(page);
    await shoot(page, 'drivers-refused-zh');
  });

  await test.step('a jar file reaches the host', async () => {
    await drawer
      .locator('input[type=file]')
      .setInputFiles({ name: 'shop-9.1.jar', mimeType: 'application/java-archive', buffer: JAR });
    await drawer.getByLabel('已与发布者公布的校验和比较').check();
    await drawer.getByRole('button', { name: '上传并分发' }).click();
    await expect(drawer).toBeHidden(SLOW);
    await expect(rowOf(page, 'shop-9.1.jar')).toContainText('1 台中 1 台就绪', SLOW);
  });

  await test.step('the list in English, narrow and wide, with the hosts', async () => {
    await switchLanguage(page, 'en');
    await expect(rowOf(page, 'shop-9.1.jar')).toContainText('Confirmed by admin');
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNothingBeside(page);
      await shoot(page, `drivers-list-en-${width}`);
    }
    await expectAccessible(page);
    await rowOf(page, 'shop-9.1.jar').getByRole('button', { name: 'Hosts' }).click();
    const hosts = page.getByRole('dialog', { name: 'Hosts with shop-9.1.jar' });
    await expect(hosts.getByRole('row', { name: /Present/ })).toBeVisible();
    await expectAccessible(page);
    await shoot(page, 'drivers-hosts-en');
    await page.keyboard.press('Escape');
  });

  await test.step('it is removed', async () => {
    await rowOf(page, 'shop-9.1.jar').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove driver shop-9.1.jar?' });
    await shoot(page, 'drivers-remove-en');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('No drivers yet')).toBeVisible(SLOW);
  });
});
