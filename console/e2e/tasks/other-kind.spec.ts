import { expect, signIn, startOrSkip, test } from '../support/fixtures';
import { makeLink, rowOf } from './wizard';

const SOURCE = `
  create table products (id bigint unsigned primary key, name varchar(100) not null, price decimal(20,4),
    body blob, made datetime(6)) character set utf8mb4;
  insert into products values (1, '笔记本 📓', 12.5000, x'00ff10', '2026-02-03 04:05:06.789012'),
    (18446744073709551615, 'largest', null, null, null);`;

test('a link from MariaDB to PostgreSQL carries what both can hold', async ({
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
