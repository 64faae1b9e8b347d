import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { checkout, python } from '../support/checkout';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { fillConnection, front, next, passPrecheck, passTest, rowOf, start } from './wizard';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    setTimeout(() => socket.end(), 100);
  });
}

const ACCOUNT = { user: 'shop', password: 's3cret-of-shop' };

/** A real server of the files of a folder: one of the programs that the Python tests use. */
async function serve(program: 'ftp' | 'web', folder: string, more: object) {
  const port = await freePort();
  const said = { host: '127.0.0.1', port, folder, ...ACCOUNT, secret: ACCOUNT.password, ...more };
  const path = join(checkout, 'tests', 'servers', `${program}_program.py`);
  const process: ChildProcess = spawn(python, [path, JSON.stringify(said)], { stdio: 'ignore' });
  await expect.poll(() => answers(port), { timeout: 60_000 }).toBe(true);
  return { port, stop: () => process.kill('SIGKILL') };
}

function put(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const made = join(dirname(path), `.${basename(path)}`);
  writeFileSync(made, text);
  renameSync(made, path);
}

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}

/** Chooses a kind in the type dialog, which shows it with a picture of its own. */
async function choose(page: Page, label: string, picture: string): Promise<void> {
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  const card = dialog.getByRole('button', { name: label });
  const image = card.locator('img');
  await expect(image).toHaveAttribute('src', `/zcbus/kinds/${picture}.svg`);
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  await shot(page, `${picture}-types`);
  await card.click();
  await expect(dialog).toBeHidden();
}

async function arrives(page: Page, link: string): Promise<void> {
  await front(page)
    .getByRole('button', { name: /选择全部匹配的/ })
    .click();
  await next(page);
  await next(page);
  await passPrecheck(page);
  await start(page, link);
  await expect(rowOf(page, 'files.orders').locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
}

test('a link from a folder of an FTP server follows its files', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const target = await databases.create('postgresql', 'ftp_target');
  const folder = join(platform.files, 'ftp');
  put(folder, 'shop/orders/monday.csv', 'id,name\n7,李雷\n8,x\n');
  const ftp = await serve('ftp', folder, { tls: 'none', facts: true, names: 'utf-8', idle: 300 });
  try {
    await signIn(page, platform);
    await page.goto(`${platform.url}/zcbus/sync-link/new`);
    await choose(page, 'FTP / FTPS', 'ftp');
    await front(page).getByLabel('主机', { exact: true }).fill('127.0.0.1');
    await front(page).getByLabel('端口').fill(String(ftp.port));
    await front(page).getByLabel('用户名').fill(ACCOUNT.user);
    await front(page).getByLabel('密码', { exact: true }).fill(ACCOUNT.password);
    await front(page).getByLabel('文件夹').fill('/shop');
    await expectAccessible(page);
    await test.step('a server without TLS is named, with the remedy', async () => {
      await front(page).getByRole('button', { name: '测试连接' }).click();
      const dialog = page.getByRole('dialog', { name: '连接测试失败' });
      await expect(dialog.locator('tr[data-status=failed]')).toContainText('tls = disable');
      await shot(page, 'ftp-test-failed');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
    await front(page).getByLabel('加密传输').click();
    await page.getByTitle('不加密 (disable)', { exact: true }).click();
    await shot(page, 'ftp-form');
    await passTest(page);
    await fillConnection(page, { server, database: target });
    await passTest(page);
    await arrives(page, 'ftp');
    put(folder, 'shop/orders/tuesday.csv', 'id,name\n9,y\n');
    const rows = () =>
      databases.rows('postgresql', target, 'select _file, id, name from orders order by _file, _record');
    await expect.poll(rows, { timeout: 30_000 }).toEqual([
      ['orders/monday.csv', '7', '李雷'],
      ['orders/monday.csv', '8', 'x'],
      ['orders/tuesday.csv', '9', 'y'],
    ]);
  } finally {
    ftp.stop();
  }
});

test('a link from files that a page lists follows them', { tag: '@soak' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const target = await databases.create('postgresql', 'web_target');
  const folder = join(platform.files, 'web');
  put(folder, 'shop/orders/monday.csv', 'id,name\n7,李雷\n');
  const web = await serve('web', folder, { tls: false, certificate: '', elsewhere: '' });
  try {
    await signIn(page, platform);
    await page.goto(`${platform.url}/zcbus/sync-link/new`);
    await choose(page, 'HTTP(S) 文件', 'webfiles');
    await front(page).getByLabel('地址', { exact: true }).fill(`http://127.0.0.1:${web.port}/basic/shop/`);
    await test.step('a line that is no address is named', async () => {
      await front(page).getByLabel('文件地址').fill('orders/a.csv\n../b.csv = https://example.com/b');
      await front(page).getByRole('button', { name: '测试连接' }).click();
      const dialog = page.getByRole('dialog', { name: '连接测试失败' });
      await expect(dialog.getByText(/第 2 行.*值有误/)).toBeVisible();
      await shot(page, 'webfiles-line');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await front(page).getByLabel('文件地址').fill('');
    });
    await test.step('without an account the login is what fails', async () => {
      await front(page).getByRole('button', { name: '测试连接' }).click();
      const dialog = page.getByRole('dialog', { name: '连接测试失败' });
      await expect(dialog.locator('tr[data-status=failed]')).toContainText('401');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
    await front(page).getByLabel('认证').click();
    await page.getByTitle('用户名和密码 (basic)', { exact: true }).click();
    await front(page).getByLabel('用户名').fill(ACCOUNT.user);
    await front(page).getByLabel('密码或令牌').fill(ACCOUNT.password);
    await front(page).getByLabel('查询间隔').fill('1');
    await expectAccessible(page);
    await shot(page, 'webfiles-form');
    await test.step('in English', async () => {
      await switchLanguage(page, 'en');
      await expect(front(page).getByLabel('List of files')).toBeVisible();
      await shot(page, 'webfiles-form-english');
      await switchLanguage(page, 'zh');
      await front(page).getByLabel('密码或令牌').fill(ACCOUNT.password);
    });
    await passTest(page);
    await fillConnection(page, { server, database: target });
    await passTest(page);
    await arrives(page, 'web');
    put(folder, 'shop/orders/tuesday.csv', 'id,name\n9,y\n');
    const rows = () =>
      databases.rows('postgresql', target, 'select _file, id, name from orders order by _file, _record');
    await expect.poll(rows, { timeout: 30_000 }).toEqual([
      ['orders/monday.csv', '7', '李雷'],
      ['orders/tuesday.csv', '9', 'y'],
    ]);
  } finally {
    web.stop();
  }
});
