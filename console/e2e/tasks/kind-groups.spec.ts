import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectAccessible, signIn, test, useLanguage } from '../support/fixtures';
import type { Facts, PlaceKind } from '../support/places';
import { front, rowOf } from './wizard';

const LANGUAGES = ['zh', 'en'] as const;
type Language = (typeof LANGUAGES)[number];
type Both = Record<Language, string>;

/** What the wizard's controls are called. */
const words = {
  zh: {
    choose: /选择数据源类型|更换类型/,
    types: '选择数据源类型',
    test: '测试连接',
    tested: '连接测试',
    next: '下一步',
    all: /选择全部匹配的/,
    precheck: '预检查',
    checking: '正在检查',
    passed: /检查通过|不影响启动/,
    name: '链路名称',
    start: '创建并启动',
  },
  en: {
    choose: /Choose data source type|Change type/,
    types: 'Choose data source type',
    test: 'Test connection',
    tested: 'Connection test',
    next: 'Next',
    all: /Choose all/,
    precheck: 'Pre-check',
    checking: /^Checking/,
    passed: /^Passed|can be started/,
    name: 'Link name',
    start: 'Create and start',
  },
} as const;

type Field = { label: Both } & ({ value: string } | { chosen: Both });

interface Place {
  kind: PlaceKind;
  group: Both;
  /** What its card in the type dialog is called. */
  label: string;
  /** What is filled in, or chosen of a list. `name`: the test's own. */
  fields: (facts: Facts, name: string) => readonly Field[];
  /** In the folder for files. */
  path?: (name: string) => string;
}

const host = { label: { zh: '主机', en: 'Host' }, value: '127.0.0.1' };
const port = ({ port: found }: Facts) => ({ label: { zh: '端口', en: 'Port' }, value: String(found) });
const file = (value: string) => ({ label: { zh: '文件', en: 'File' }, value });
const folder = (value: string) => ({ label: { zh: '文件夹', en: 'Folder' }, value });
const relational = { zh: '关系型数据库', en: 'Relational databases' };
const files = { zh: '文件', en: 'Files' };
const FILES = 'CSV / Excel / JSON lines / Parquet / Avro';

const sqlite: Place = {
  kind: 'sqlite',
  group: relational,
  label: 'SQLite',
  fields: (_, name) => [file(`${name}/shop.db`)],
  path: (name) => `${name}/shop.db`,
};

/** One kind of each group of the type dialog that can be a target; the others are written by `other-kind.spec.ts`. */
const targets: readonly Place[] = [
  {
    kind: 'duckdb',
    group: relational,
    label: 'DuckDB',
    fields: (_, name) => [file(`${name}/copy.duckdb`)],
    path: (name) => `${name}/copy.duckdb`,
  },
  {
    kind: 'delta',
    group: { zh: '大数据', en: 'Big data' },
    label: 'Delta Lake',
    fields: (_, name) => [
      folder(`${name}/lake`),
      { label: { zh: '写入间隔（秒）', en: 'Interval (s)' }, value: '0' },
    ],
    path: (name) => `${name}/lake`,
  },
  {
    kind: 'nats',
    group: { zh: '消息队列', en: 'Message queues' },
    label: 'NATS JetStream',
    fields: (facts, name) => [
      host,
      port(facts),
      { label: { zh: '目标主题（subject）', en: 'Subject' }, value: `${name}.{table}` },
    ],
  },
  {
    kind: 'redis',
    group: { zh: '缓存', en: 'Caches' },
    label: 'Redis / Valkey',
    fields: (facts, name) => [
      host,
      port(facts),
      { label: { zh: '键名模板', en: 'Key template' }, value: `${name}:{table}:{key}` },
    ],
  },
  {
    kind: 'csv',
    group: files,
    label: FILES,
    fields: (_, name) => [
      folder(`${name}/out`),
      {
        label: { zh: '写出内容', en: 'Content' },
        chosen: { zh: '当前行 (rows)', en: 'The current rows (rows)' },
      },
      { label: { zh: '写出格式', en: 'Format of written files' }, chosen: { zh: 'CSV', en: 'CSV' } },
      { label: { zh: '写入间隔（秒）', en: 'Write every (s)' }, value: '0' },
    ],
    path: (name) => `${name}/out`,
  },
  {
    kind: 'http',
    group: { zh: 'HTTP 接口', en: 'HTTP interfaces' },
    label: 'HTTP / REST',
    fields: ({ url, definition = '' }, name) => [
      { label: { zh: '服务地址', en: 'Address' }, value: `${url}/${name}` },
      { label: { zh: '接口文档', en: 'Document' }, value: definition },
    ],
  },
];

/** Chooses a kind in the type dialog by its group, fills in its form and passes its test. */
async function connect(page: Page, language: Language, place: Place, facts: Facts, name: string) {
  const word = words[language];
  await front(page).getByRole('button', { name: word.choose }).click();
  const dialog = page.getByRole('dialog', { name: word.types });
  await dialog.getByRole('menuitem', { name: place.group[language], exact: true }).click();
  await dialog.getByRole('button', { name: place.label }).click();
  await expect(dialog).toBeHidden();
  for (const given of place.fields(facts, name)) {
    const field = front(page).getByLabel(given.label[language], { exact: true });
    if ('value' in given) await field.fill(given.value);
    else {
      await field.click();
      await page
        .locator('.ant-select-dropdown:visible')
        .getByTitle(given.chosen[language], { exact: true })
        .click();
    }
  }
  await expectAccessible(page);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/${place.kind}-${language}.png`, fullPage: true });
  await front(page).getByRole('button', { name: word.test }).click();
  const test = page.getByRole('dialog', { name: word.tested, exact: true });
  await test.getByRole('button', { name: word.next, exact: true }).click();
  await expect(test).toBeHidden();
}

/** From the tables of the source to a link that runs. */
async function run(page: Page, language: Language, name: string, table: string): Promise<void> {
  const word = words[language];
  const forward = async () => {
    const heading = front(page).getByRole('heading', { level: 2 });
    const before = (await heading.textContent()) ?? '';
    await front(page).getByRole('button', { name: word.next, exact: true }).click();
    await expect(heading).not.toHaveText(before);
  };
  await front(page).getByRole('button', { name: word.all }).click();
  await forward();
  await forward();
  await expect(front(page).getByRole('heading', { name: word.precheck })).toBeVisible();
  await expect(front(page).getByText(word.checking)).toBeHidden({ timeout: 60_000 });
  await expect(front(page).getByRole('status').filter({ hasText: word.passed })).toBeVisible();
  await forward();
  await front(page).getByLabel(word.name).fill(name);
  await front(page).getByRole('button', { name: word.start }).click();
  await page.waitForURL(/\/zcbus\/sync-task-config\//);
  await expect(front(page).getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(rowOf(page, table).locator('[data-state=incremental-running]')).toBeVisible({
    timeout: 60_000,
  });
}

for (const language of LANGUAGES) {
  for (const target of targets) {
    test(`from the type dialog to rows in ${target.label}, in ${language}`, { tag: '@wide' }, async ({
      page,
      platform,
      places,
    }) => {
      test.setTimeout(240_000);
      const name = `${target.kind}-${language}`;
      const source = join(platform.files, name, 'shop.db');
      await places.execute(
        source,
        `create table orders (id integer primary key not null, name text, updated_at integer not null);
         insert into orders values (1, '一', 1), (2, '二', 2);`,
      );
      const path = target.path ? join(platform.files, target.path(name)) : '';
      // The folder of files must exist.
      if (target.kind === 'csv') mkdirSync(path);
      const facts = await places.prepare(target.kind, name);
      await useLanguage(page, language);
      await signIn(page, platform, '/sync-link/new');
      await connect(page, language, sqlite, {}, name);
      await connect(page, language, target, facts, name);
      await run(page, language, name, 'main.orders');
      const rows = () => places.rows(target.kind, name, path);
      await expect.poll(rows, { timeout: 30_000 }).toEqual([
        [1, '一'],
        [2, '二'],
      ]);
      await places.execute(
        source,
        "update orders set name = '壹', updated_at = 3 where id = 1; insert into orders values (3, '三', 3)",
      );
      await expect.poll(rows, { timeout: 30_000 }).toEqual([
        [1, '壹'],
        [2, '二'],
        [3, '三'],
      ]);
    });
  }

  test(`from the type dialog to rows of spreadsheets in SQLite, in ${language}`, { tag: '@wide' }, async ({
    page,
    platform,
    places,
  }) => {
    test.setTimeout(240_000);
    const name = `sheets-${language}`;
    const sheet = (file: string, ...rows: (readonly [number, string])[]) =>
      places.writeSheet(join(platform.files, name, 'in', 'orders', file), [['id', 'name'], ...rows]);
    await sheet('monday.xlsx', [1, '一'], [2, '二']);
    const sheets: Place = {
      kind: 'csv',
      group: files,
      label: FILES,
      fields: () => [folder(`${name}/in`)],
    };
    await useLanguage(page, language);
    await signIn(page, platform, '/sync-link/new');
    await connect(page, language, sheets, {}, name);
    await connect(page, language, sqlite, {}, name);
    await run(page, language, name, 'files.orders');
    const rows = () => places.rows('sqlite', name, join(platform.files, name, 'shop.db'));
    await expect.poll(rows, { timeout: 30_000 }).toEqual([
      [1, '一'],
      [2, '二'],
    ]);
    await sheet('tuesday.xlsx', [3, '三']);
    await expect.poll(rows, { timeout: 30_000 }).toEqual([
      [1, '一'],
      [2, '二'],
      [3, '三'],
    ]);
  });
}
