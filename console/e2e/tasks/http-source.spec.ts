import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { python } from '../support/checkout';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front, next, passPrecheck, passTest, rowOf, start } from './wizard';

const DOCUMENT = `pages: {type: next-url, path: next_url}
limits: {requests_per_second: 100}
resources:
  - name: orders
    path: /orders.json
    query: {_shape: objects, _size: max, _nl: off, _sort: changed}
    records: rows
    keys: [id]
    columns:
      id: bigint
      price: bigint
      changed: timestamp
    cursor: {column: changed, query: {changed__gte: "\${cursor}"}}
  - name: cities
    path: /cities.json
    query: {_shape: objects, _nl: off}
    records: rows
    key: [code]
    columns: {code: text, name: text}
`;

const OPENAPI = `openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /cities.json:
    get:
      summary: Cities
      parameters: [{name: _shape, in: query, required: true, schema: {type: string, default: objects}}]
      responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Cities"}}}}}
  /orders.json:
    get: {responses: {"200": {content: {application/json: {schema: {$ref: "#/components/schemas/Cities"}}}}}}
components:
  schemas:
    Cities: {type: object, properties: {rows: {type: array, items: {$ref: "#/components/schemas/City"}}}}
    City: {type: object, properties: {code: {type: string}, name: {type: string}}}
`;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Datasette, a REST service over a file of SQLite. */
async function startService(file: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const service = spawn(python, ['-m', 'datasette', file, '--port', String(port)], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/shop`;
  await expect
    .poll(
      () =>
        fetch(`${url}/orders.json`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  return { url, process: service };
}

const script = `
import json, os, sqlite3, sys
os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)
file = sqlite3.connect(sys.argv[1])
found = [file.execute(one).fetchall() for one in sys.argv[2:]]
file.commit()
print(json.dumps(found[-1]))`;

function sqlite(file: string, ...statements: string[]): unknown {
  return JSON.parse(execFileSync(python, ['-c', script, file, ...statements], { encoding: 'utf8' }));
}

async function choose(page: Page, kind: string): Promise<void> {
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  await dialog.getByRole('button', { name: kind }).click();
  await expect(dialog).toBeHidden();
}

/** The form at both widths. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
  }
}

test('a document is written with previews, and a link replicates its tables into a file', {
  tag: '@wide',
}, async ({ page, platform }) => {
  test.setTimeout(300_000);
  const shop = join(platform.files, 'served', 'shop.db');
  const copy = join(platform.files, 'copy', 'shop.db');
  mkdirSync(platform.files, { recursive: true });
  sqlite(
    shop,
    'create table orders (id integer primary key, price text, note text, changed text not null)',
    'create table cities (code text primary key, name text)',
    "insert into orders values (1, '12.50', '第一', '2026-01-02 03:04:05'), (2, '7', null, '2026-01-02 03:04:06')",
    "insert into cities values ('a', 'Aachen'), ('z', '郑州')",
  );
  const service = await startService(shop);
  try {
    await signIn(page, platform, '/sync-link/new');
    await choose(page, 'HTTP / REST');
    const preview = front(page).getByRole('region', { name: '预览' });
    const document = front(page).getByLabel('接口文档');

    await test.step('an OpenAPI description becomes the document, with what is guessed', async () => {
      await front(page).getByRole('button', { name: '从 OpenAPI 导入' }).click();
      const dialog = page.getByRole('dialog', { name: '从 OpenAPI 描述导入' });
      await dialog.getByRole('radio', { name: '文本' }).check();
      await dialog.getByRole('textbox', { name: '文本' }).fill('swagger: "2.0"');
      await dialog.getByRole('button', { name: '读取' }).click();
      await expect(dialog.getByRole('alert')).toContainText('该描述无法导入');
      await dialog.getByRole('textbox', { name: '文本' }).fill(OPENAPI);
      await dialog.getByRole('button', { name: '读取' }).press('Enter');
      await dialog.getByRole('searchbox', { name: '按路径或说明搜索' }).fill('cit');
      await expect(dialog.getByRole('checkbox')).toHaveCount(1);
      await dialog.getByRole('checkbox', { name: '/cities.json' }).press('Space');
      await dialog.getByRole('searchbox', { name: '按路径或说明搜索' }).fill('');
      await expect(dialog.getByRole('checkbox')).toHaveCount(2);
      await expectAccessible(page);
      await shoot(page, 'http-import-zh');
      await dialog.getByRole('button', { name: '导入 1 个操作' }).press('Enter');
      await expect(dialog).toBeHidden();
      await expect(front(page).getByText('表 cities 的主键：code')).toBeVisible();
      await front(page).getByLabel('服务地址').fill(service.url);
      await preview.getByRole('button', { name: '预览' }).click();
      await expect(preview.getByRole('cell', { name: '郑州' })).toBeVisible();
      await shoot(page, 'http-imported-zh');
      await front(page).getByLabel('服务地址').fill('');
      await document.fill('');
    });

    await test.step('missing fields are named before a request is made', async () => {
      await preview.getByRole('button', { name: '重新预览' }).click();
      await expect(front(page).getByText('服务地址不能为空')).toBeVisible();
    });

    await test.step('an unknown word: its line is named, and reached by keyboard', async () => {
      await front(page).getByLabel('服务地址').fill(service.url);
      await document.fill(DOCUMENT);
      await preview.getByRole('button', { name: '重新预览' }).click();
      await expect(preview.getByRole('alert')).toContainText('文档第 8 行');
      await preview.getByRole('button', { name: '转到文档第 8 行' }).press('Enter');
      await expect(document).toBeFocused();
      await page.keyboard.insertText('    key: [id]');
      await expect(document).toHaveValue(DOCUMENT.replace('keys:', 'key:'));
      await expect(preview).toContainText('预览之后连接参数已更改');
    });

    await test.step('a wrong type: raw rows, and the line of the column', async () => {
      await preview.getByRole('button', { name: '重新预览' }).press('Enter');
      await expect(preview.getByRole('alert')).toContainText('文档有 1 行与服务的返回不符');
      await expect(preview.getByRole('cell', { name: '12.50' })).toBeVisible();
      await expectAccessible(page);
      await shoot(page, 'http-fault');
      await preview.getByRole('button', { name: '转到文档第 11 行' }).press('Enter');
      await page.keyboard.insertText('      price: decimal(10,2)');
    });

    await test.step('rows, undeclared fields, and another table', async () => {
      await preview.getByRole('button', { name: '重新预览' }).press('Enter');
      await expect(preview.getByRole('cell', { name: '7.00' })).toBeVisible();
      await expect(preview.getByRole('alert')).toHaveCount(0);
      await preview.getByText('文档未声明的字段：1 个').press('Enter');
      await expect(preview.getByRole('row', { name: 'note text note' })).toBeVisible();
      await expectAccessible(page);
      await shoot(page, 'http-preview-zh');
      await preview.getByRole('combobox', { name: '表' }).press('ArrowDown');
      await page.getByTitle('cities').click();
      await expect(preview.getByRole('cell', { name: '郑州' })).toBeVisible();
    });

    await test.step('from the connection to a running link', async () => {
      await front(page).getByLabel('查询间隔（秒）').fill('1');
      await passTest(page);
      await choose(page, 'SQLite');
      await front(page).getByLabel('文件').fill('copy/shop.db');
      await passTest(page);
      await front(page)
        .getByRole('button', { name: /选择全部匹配的/ })
        .click();
      await next(page);
      await next(page);
      await passPrecheck(page);
      await start(page, 'rest');
      for (const table of ['http.orders', 'http.cities'])
        await expect(rowOf(page, table).locator('[data-state=incremental-running]')).toBeVisible({
          timeout: 60_000,
        });
    });

    await test.step('changes and removals arrive', async () => {
      sqlite(
        shop,
        "insert into orders values (3, '1', null, strftime('%Y-%m-%d %H:%M:%S', 'now'))",
        "delete from cities where code = 'a'",
      );
      const orders = () => sqlite(copy, 'select id, price from orders order by id');
      await expect.poll(orders, { timeout: 30_000 }).toEqual([
        [1, '12.50'],
        [2, '7.00'],
        [3, '1.00'],
      ]);
      await expect
        .poll(() => sqlite(copy, 'select name from cities'), { timeout: 30_000 })
        .toEqual([['郑州']]);
      await shoot(page, 'http-task');
    });

    await test.step('in English', async () => {
      await page.goto(`${platform.url}/zcbus/sync-link/new`);
      await switchLanguage(page, 'en');
      await front(page)
        .getByRole('button', { name: /Choose|Change/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'HTTP / REST' }).click();
      await front(page).getByLabel('Address').fill(service.url);
      await front(page).getByLabel('Document').fill(DOCUMENT.replace('keys:', 'key:'));
      const english = front(page).getByRole('region', { name: 'Preview' });
      await english.getByRole('button', { name: 'Preview' }).click();
      await expect(english.getByRole('alert')).toContainText(
        '1 line of the document does not match the response',
      );
      await shoot(page, 'http-preview-en');
      await front(page).getByRole('button', { name: 'Import from OpenAPI' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import an OpenAPI description' });
      await shoot(page, 'http-import-first-en');
      await dialog.getByRole('radio', { name: 'Text' }).check();
      await dialog.getByRole('textbox', { name: 'Text' }).fill(OPENAPI);
      await dialog.getByRole('button', { name: 'Read' }).click();
      await dialog.getByRole('checkbox', { name: '/cities.json' }).check();
      await expect(dialog).toContainText('The text in the document field is lost');
      await shoot(page, 'http-import-en');
      await dialog.getByRole('button', { name: 'Import 1 operation' }).click();
      await expect(front(page).getByText('Key of table cities: code')).toBeVisible();
      await shoot(page, 'http-imported-en');
    });
  } finally {
    service.process.kill('SIGTERM');
  }
});
