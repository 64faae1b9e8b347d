import { createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, signIn, test, useLanguage } from '../support/fixtures';

test.setTimeout(240_000);
const LONG = { timeout: 90_000 };

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const place = server.address();
      server.close(() => resolve(typeof place === 'object' && place ? place.port : 0));
    });
  });
}

async function save(page: Page): Promise<void> {
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(drawer).toHaveCount(0, LONG);
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
}

test('an API is made, published, called by an app, and found in the log', async ({
  page,
  platform,
  databases,
}) => {
  const server = await databases.start('postgresql');
  const database = await databases.create('postgresql', 'goods');
  await databases.execute('postgresql', database, 'CREATE TABLE goods (id int PRIMARY KEY, name text)');
  await databases.execute('postgresql', database, "INSERT INTO goods VALUES (1, 'tea'), (2, 'cup')");
  const port = await freePort();
  const reader = `reader_${port}`;
  await databases.execute('postgresql', database, `CREATE USER ${reader} PASSWORD 'reader-password'`);
  await databases.execute('postgresql', database, `GRANT SELECT ON goods TO ${reader}`);
  await useLanguage(page, 'en');

  await signIn(page, platform, '/data-service/api-group');
  await page.getByRole('tab', { name: 'Data services' }).click();
  await page.getByRole('button', { name: 'Add data service' }).first().click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('gate');
  await page.getByRole('dialog').getByLabel('Port').fill(String(port));
  await save(page);
  await expect(page.getByRole('row', { name: /gate/ })).toContainText('Status normal', LONG);

  await page.getByRole('tab', { name: 'API groups' }).click();
  await page.getByRole('button', { name: 'Add group' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name', { exact: true }).fill('Shop');
  await choose(page, 'Data service', /gate/);
  await drawer.getByLabel('Path prefix').fill('shop');
  await drawer.getByLabel('Host').fill(server.host);
  await drawer.getByLabel('Port').fill(String(server.port));
  await drawer.getByLabel('User', { exact: true }).fill(reader);
  await drawer.getByLabel('Password').fill('reader-password');
  await drawer.getByLabel('Database', { exact: true }).fill(database);
  await save(page);
  await expect(page.getByRole('row', { name: /Shop/ })).toBeVisible(LONG);

  await page.getByRole('tab', { name: 'APIs' }).click();
  await page.getByRole('button', { name: 'Add API' }).first().click();
  await drawer.getByLabel('Name', { exact: true }).fill('Goods by id');
  await drawer.getByLabel('Path', { exact: true }).fill('goods');
  await drawer.locator('.cm-content').fill('DELETE FROM goods');
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  const refused = drawer.locator('.ant-form-item', { has: page.locator('.sql-editor') });
  await expect(refused.locator('.ant-form-item-explain-error')).toContainText('one query', LONG);
  await expect(drawer.getByLabel('SQL', { exact: true })).toBeFocused();
  await drawer.locator('.cm-content').fill('SELECT id, name FROM goods WHERE id = :id');
  await drawer.getByRole('button', { name: 'Add parameter' }).click();
  await drawer.locator('.data-service-parameter input').first().fill('id');
  await choose(page, 'Type', /Integer/);
  await drawer.getByRole('region', { name: 'Try it' }).getByLabel('id').fill('2');
  await drawer.getByRole('button', { name: 'Run' }).click();
  await expect(drawer.getByRole('cell', { name: 'cup' })).toBeVisible(LONG);
  await save(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('row', { name: /Goods by id/ })).toContainText('Published', LONG);

  await page.goto(`${platform.url}/zcbus/data-service/api-app`);
  await page.getByRole('button', { name: 'Add app' }).first().click();
  await drawer.getByLabel('Name', { exact: true }).fill('web');
  await choose(page, 'APIs it may call', /Goods by id/);
  await page.keyboard.press('Escape');
  await drawer.getByRole('button', { name: 'Save', exact: true }).click();
  const shown = page.getByRole('dialog').locator('code');
  await expect(shown).toHaveCount(2, LONG);
  const [key, secret] = await shown.allTextContents();
  await page.getByRole('button', { name: 'I have kept it' }).click();

  const call = (id: number) =>
    page.request.get(`http://127.0.0.1:${port}/shop/goods?id=${id}`, {
      headers: { authorization: `Bearer ${key}:${secret}` },
    });
  await expect.poll(async () => (await call(2)).status(), LONG).toBe(200);
  expect((await (await call(1)).json()).data.records).toEqual([{ id: 1, name: 'tea' }]);

  await page.goto(`${platform.url}/zcbus/data-service/api-log`);
  await expect(page.getByRole('row', { name: /GET \/shop\/goods/ }).first()).toContainText('web', LONG);
});
