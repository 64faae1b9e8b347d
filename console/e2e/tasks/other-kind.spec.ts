import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { python } from '../support/checkout';
import { expect, expectAccessible, signIn, startOrSkip, test } from '../support/fixtures';
import { fillConnection, front, makeLink, next, passPrecheck, passTest, rowOf, start } from './wizard';

const SOURCE = `
  create table products (id bigint unsigned primary key, name varchar(100) not null, price decimal(20,4),
    body blob, made datetime(6)) character set utf8mb4;
  insert into products values (1, '笔记本 📓', 12.5000, x'00ff10', '2026-02-03 04:05:06.789012'),
    (18446744073709551615, 'largest', null, null, null);`;

test('a link from MariaDB to PostgreSQL carries what both can hold', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const from = await startOrSkip(databases, 'mysql');
  const to = await databases.start('postgresql');
  const source = await databases.create('mysql', 'kinds_source');
  const target = await databases.create('postgresql', 'kinds_target');
  await databases.execute('mysql', source, SOURCE);
  await signIn(page, platform);
  await makeLink(
    page,
    platform.url,
    'kinds',
    { server: from, database: source },
    { server: to, database: target },
  );
  await expect(rowOf(page, `${source}.products`).locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
  const rows = () =>
    databases.rows(
      'postgresql',
      target,
      "select id::text, name, price::text, encode(body, 'hex'), made::text from public.products order by id",
    );
  expect(await rows()).toEqual([
    ['1', '笔记本 📓', '12.5000', '00ff10', '2026-02-03 04:05:06.789012'],
    ['18446744073709551615', 'largest', null, null, null],
  ]);
  await databases.execute('mysql', source, "update products set name = '新名字' where id = 1");
  await expect.poll(async () => (await rows())[0]?.[1], { timeout: 30_000 }).toBe('新名字');
});

test('a link from PostgreSQL writes a file of SQLite', { tag: '@soak' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const database = await databases.create('postgresql', 'file_source');
  await databases.execute(
    'postgresql',
    database,
    'create table orders (id int primary key, price numeric(12,2)); insert into orders values (1, 12.50), (2, null)',
  );
  await signIn(page, platform);
  await page.goto(`${platform.url}/zcbus/sync-link/new`);
  await fillConnection(page, { server, database });
  await passTest(page);
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  await dialog.getByRole('button', { name: 'SQLite' }).click();
  await expect(dialog).toBeHidden();
  await front(page).getByLabel('文件').fill('reports/shop.db');
  await passTest(page);
  await front(page)
    .getByRole('button', { name: /选择全部匹配的/ })
    .click();
  await next(page);
  await expect(front(page).getByRole('columnheader', { name: '目标表名' })).toBeVisible();
  await expect(front(page).getByRole('columnheader', { name: '目标模式' })).toBeHidden();
  await next(page);
  await passPrecheck(page);
  await start(page, 'file');
  await expect(rowOf(page, 'public.orders').locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
  const read = `
    import json, sqlite3, sys
    print(json.dumps(sqlite3.connect(sys.argv[1]).execute("select * from orders order by id").fetchall()))`;
  const rows = () =>
    JSON.parse(
      execFileSync(
        python,
        ['-c', read.replaceAll('\n    ', '\n'), join(platform.files, 'reports', 'shop.db')],
        {
          encoding: 'utf8',
        },
      ),
    );
  expect(rows()).toEqual([
    [1, '12.50'],
    [2, null],
  ]);
  await databases.execute('postgresql', database, 'update orders set price = 0.1 where id = 2');
  await expect.poll(rows, { timeout: 30_000 }).toContainEqual([2, '0.10']);
});

test('a link from a file of SQLite carries what is inserted and updated', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const target = await databases.create('postgresql', 'polled_target');
  const run = (sql: string) =>
    execFileSync(python, [
      '-c',
      'import os, sqlite3, sys; os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True); sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])',
      join(platform.files, 'ledger.db'),
      sql,
    ]);
  run(`create table entries (id integer primary key not null, name text, updated_at integer not null);
    insert into entries values (1, '一', 1), (2, '二', 2); create table plain (id integer primary key not null)`);
  await signIn(page, platform);
  await page.goto(`${platform.url}/zcbus/sync-link/new`);
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  await dialog.getByRole('button', { name: 'SQLite' }).click();
  await expect(dialog).toBeHidden();
  await front(page).getByLabel('文件').fill('ledger.db');
  await expect(front(page).getByLabel('水位列')).toHaveValue('updated_at, modified_at');
  await expectAccessible(page);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/source.png` });
  await passTest(page);
  await fillConnection(page, { server, database: target });
  await passTest(page);
  await front(page)
    .getByRole('button', { name: /选择全部匹配的/ })
    .click();
  await next(page);
  await next(page);
  await expect(
    front(page)
      .getByText(/没有水位列/)
      .first(),
  ).toBeVisible({ timeout: 60_000 });
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/precheck.png` });
  run('drop table plain; create table plain (id integer primary key not null, modified_at integer not null)');
  await front(page).getByRole('button', { name: '重新检查' }).click();
  await passPrecheck(page);
  await start(page, 'polled');
  await expect(rowOf(page, 'main.entries').locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
  run("update entries set name = '壹', updated_at = 3 where id = 1; insert into entries values (3, '三', 3)");
  const rows = () => databases.rows('postgresql', target, 'select id, name from entries order by id');
  await expect.poll(rows, { timeout: 30_000 }).toEqual([
    [1, '壹'],
    [2, '二'],
    [3, '三'],
  ]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/task.png` });
});

test('a link from PostgreSQL writes a file of DuckDB', { tag: '@soak' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const database = await databases.create('postgresql', 'duckdb_source');
  await databases.execute(
    'postgresql',
    database,
    `create table orders (id int primary key, price numeric(12,2), made timestamptz);
     insert into orders values (1, 12.50, '2026-02-03 04:05:06.5+02'), (2, null, null)`,
  );
  await signIn(page, platform);
  await page.goto(`${platform.url}/zcbus/sync-link/new`);
  await fillConnection(page, { server, database });
  await passTest(page);
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/duckdb-types.png` });
  await dialog.getByRole('button', { name: 'DuckDB' }).click();
  await expect(dialog).toBeHidden();
  await front(page).getByLabel('文件').fill('reports/shop.duckdb');
  await passTest(page);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/duckdb-target.png` });
  await front(page)
    .getByRole('button', { name: /选择全部匹配的/ })
    .click();
  await next(page);
  await expect(front(page).getByRole('columnheader', { name: '目标表名' })).toBeVisible();
  await next(page);
  await passPrecheck(page);
  await start(page, 'duckdb');
  await expect(rowOf(page, 'public.orders').locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
  // One process has the file at a time: wait until the platform's is through with it.
  const read = `
    import json, sys, time, duckdb
    for attempt in range(200):
      try:
        file = duckdb.connect(sys.argv[1], read_only=True)
        break
      except duckdb.IOException:
        time.sleep(0.02)
    file.execute("set TimeZone = 'UTC'")
    rows = file.execute("select id, price::varchar, made::varchar from orders order by id").fetchall()
    print(json.dumps(rows))`;
  const rows = () =>
    JSON.parse(
      execFileSync(
        python,
        ['-c', read.replaceAll('\n    ', '\n'), join(platform.files, 'reports', 'shop.duckdb')],
        {
          encoding: 'utf8',
        },
      ),
    );
  expect(rows()).toEqual([
    [1, '12.50', '2026-02-03 02:05:06.5+00'],
    [2, null, null],
  ]);
  await databases.execute('postgresql', database, 'update orders set price = 0.1 where id = 2');
  await expect.poll(rows, { timeout: 30_000 }).toContainEqual([2, '0.10', null]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/duckdb-task.png` });
});

test('a link from a folder of CSV files follows its files', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const target = await databases.create('postgresql', 'files_target');
  const folder = join(platform.files, 'incoming');
  mkdirSync(join(folder, 'orders'), { recursive: true });
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, `.${basename(name)}`), text);
    renameSync(join(folder, `.${basename(name)}`), join(folder, name));
  };
  put('orders/monday.csv', '编号,price\n007,12.5\n8,\n');
  put('people.jsonl', '{"id": 1, "name": "李雷", "tags": ["a", 2]}\n');
  await signIn(page, platform);
  await page.goto(`${platform.url}/zcbus/sync-link/new`);
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  await dialog.getByRole('button', { name: 'CSV / Excel / JSON lines / Parquet / Avro' }).click();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-types.png` });
  await expect(dialog).toBeHidden();
  await front(page).getByLabel('文件夹').fill('incoming');
  await front(page).getByLabel('列类型').fill('编号 bigint, orders.price decimal(10,2)');
  await expectAccessible(page);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/files-source.png`, fullPage: true });
  await passTest(page);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/files-test.png`, fullPage: true });
  await fillConnection(page, { server, database: target });
  await passTest(page);
  await front(page)
    .getByRole('button', { name: /选择全部匹配的/ })
    .click();
  await next(page);
  await next(page);
  await passPrecheck(page);
  await start(page, 'files');
  await expect(rowOf(page, 'files.orders').locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
  put('orders/tuesday.csv', '编号,price\n9,1\n');
  const rows = (sql: string) => databases.rows('postgresql', target, sql);
  await expect
    .poll(() => rows('select _file, "编号"::text, price::text from orders order by _file, _record'), {
      timeout: 30_000,
    })
    .toEqual([
      ['orders/monday.csv', '7', '12.50'],
      ['orders/monday.csv', '8', null],
      ['orders/tuesday.csv', '9', '1.00'],
    ]);
  expect(await rows('select id, name, tags from people')).toEqual([['1', '李雷', '["a", 2]']]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/files-task.png` });
});
