import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, signIn, startOrSkip, switchLanguage, test } from '../support/fixtures';
import { front, rowOf, typeConnection } from './wizard';

const TABLES = ['goods', 'parts'] as const;
/** Of what is chosen; each row has a button of its own that is called after it. */
const MORE = /^(down )?(更多|More)$/;
const SLOW = { timeout: 60_000 };

test('two subscribers receive one publication: in PostgreSQL and in MariaDB, each by its own master', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(300_000);
  const chooseIn = async (place: Locator, field: string, option: RegExp) => {
    await place.getByRole('combobox', { name: field }).click();
    await page.locator('.ant-select-dropdown:visible').getByTitle(option).click();
  };
  const mariadb = await startOrSkip(databases, 'mysql');
  const postgresql = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'shared_source');
  const near = await databases.create('postgresql', 'shared_near');
  const far = await databases.create('mysql', 'shared_far');
  await databases.execute(
    'postgresql',
    source,
    `create table goods (id int primary key, name text);
     create table parts (id int primary key, note text);
     insert into goods select n, 'good ' || n from generate_series(1, 300) n;
     insert into parts values (1, 'one'), (2, 'two');`,
  );
  const { kind, host, port, user, password } = postgresql;
  const connection = { kind, host, port, user, password, database: source };
  const nodeMaster = await platform.call('publish/node/add', { name: 'shared', connection });
  const tables = TABLES.map((table) => ({ schema: 'public', table }));
  await platform.call('publish/table/add', { nodeMaster, tables });
  await signIn(page, platform, '/subscribe/customer');
  const ends = [
    { name: 'near', label: 'PostgreSQL', server: postgresql, database: near },
    { name: 'far', label: 'MySQL / MariaDB', server: mariadb, database: far },
  ] as const;

  await test.step('subscribers are made with their databases, which pass the test', async () => {
    for (const { name, label, server, database } of ends) {
      await front(page).getByRole('button', { name: '新建订阅者' }).first().click();
      await page.getByRole('dialog', { name: '选择数据源类型' }).getByRole('button', { name: label }).click();
      await front(page).getByRole('textbox', { name: '订阅者' }).fill(name);
      if (name === 'far') await chooseIn(front(page), '装载方式', /^Java$/);
      await typeConnection(page, { server, database });
      await front(page).getByRole('button', { name: '测试并保存' }).click();
      await expect(rowOf(page, name)).toBeVisible({ timeout: 60_000 });
    }
    await expectAccessible(page);
    await front(page).getByRole('link', { name: '数据库管理' }).click();
    await expect(rowOf(page, 'far')).toContainText(far);
    await expect(rowOf(page, 'far')).toContainText('Java');
    await expectAccessible(page);
  });

  await test.step('stored connections are tested from the lists, without their passwords', async () => {
    const passes = async (button: Locator) => {
      await button.click();
      const dialog = page.getByRole('dialog', { name: '连接测试' });
      await expect(dialog.getByRole('status')).toBeVisible(SLOW);
      await expect(dialog.locator('[data-status=failed]')).toHaveCount(0);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: '关闭' }).last().click();
    };
    await passes(rowOf(page, 'far').getByRole('button', { name: '测试连接' }));
    await rowOf(page, 'near').getByRole('button', { name: '编辑' }).click();
    await expect(page.getByRole('heading', { name: '编辑目标数据库' })).toBeVisible();
    await passes(front(page).getByRole('button', { name: '测试连接' }));
    await page.goBack();
    await front(page).getByRole('combobox', { name: '订阅列表' }).click();
    await page.locator('.ant-select-dropdown:visible').getByTitle('near').click();
    await expect(rowOf(page, 'far')).toBeHidden();
    await expect(rowOf(page, 'near')).toBeVisible();
  });

  await test.step('each has a master on the same publication, with its tables', async () => {
    await front(page).getByRole('link', { name: '主控与通道' }).click();
    for (const { name } of ends) {
      await front(page).getByRole('button', { name: '新建主控' }).first().click();
      const drawer = page.getByRole('dialog', { name: '新建主控' });
      await drawer.getByLabel('主控名称').fill(`m-${name}`);
      const choose = (field: string, option: RegExp) => chooseIn(drawer, field, option);
      await choose('订阅者', new RegExp(`^${name}$`));
      await choose('目标类型', name === 'far' ? /^MySQL$/ : /^PostgreSQL$/);
      await choose('目标库', new RegExp(`^${name} `));
      await choose('发布节点', /^shared$/);
      if (name === 'far') {
        await expect(drawer.locator('.ant-select', { hasText: 'Java' })).toBeVisible();
        await drawer.getByLabel('通道数').fill('2');
        await drawer.getByLabel('应用并行数').fill('17');
        await expect(drawer.getByText('须为 1 至 16 的数字')).toBeVisible();
        await drawer.getByLabel('应用并行数').fill('4');
      }
      await drawer.getByRole('button', { name: '保存' }).click();
      await expect(drawer).toBeHidden();
      await rowOf(page, `m-${name}`)
        .getByRole('button', { name: /添加表/ })
        .click();
      // A long call shows its progress first, in a dialog of the same name.
      const adding = page.getByRole('dialog', { name: `为主控 m-${name} 添加表` }).first();
      await adding.getByRole('button', { name: '选择全部 2 张' }).click();
      await adding.getByRole('button', { name: '订阅 2 张表' }).click();
      await expect(adding).toBeHidden(SLOW);
    }
    await expectAccessible(page);
  });

  const state = (target: string, wanted: string) => rowOf(page, target).locator(`[data-state=${wanted}]`);
  const targets = ['public.goods', 'public.parts', ...TABLES.map((table) => `${far}.${table}`)];

  await test.step('the data sheet shows them all applying changes, which arrive in both targets', async () => {
    await front(page).getByRole('link', { name: '订阅数据表' }).click();
    for (const target of targets.slice(2))
      await expect(state(target, 'incremental-running')).toBeVisible({ timeout: 90_000 });
    await expect(front(page).locator('[data-state=incremental-running]')).toHaveCount(4, { timeout: 60_000 });
    await expectAccessible(page);
    await databases.execute('postgresql', source, "update goods set name = 'x' where id = 300");
    for (const [place, database] of [
      ['postgresql', near],
      ['mysql', far],
    ] as const) {
      const rows = () => databases.rows(place, database, 'select count(*), max(name) from goods');
      await expect
        .poll(async () => (await rows()).map((row) => row.map(String)), { timeout: 60_000 })
        .toEqual([['300', 'x']]);
    }
    // MariaDB was loaded by ordinary statements, as set at its master.
    await front(page).getByRole('button', { name: '显示列' }).click();
    await page.getByRole('checkbox', { name: '装载方式' }).check();
    await page.keyboard.press('Escape');
    await expect(rowOf(page, `${far}.goods`)).toContainText('Java');
    expect(await databases.rows('mysql', far, "show global status like 'Com_load'")).toEqual([
      ['Com_load', '0'],
    ]);
  });

  await test.step('a subscriber and its channels are chosen above the sheet, and how many tables these load at a time', async () => {
    await chooseIn(front(page), '订阅列表', /^near$/);
    await expect(front(page).locator('[data-state=incremental-running]')).toHaveCount(2, SLOW);
    await rowOf(page, 'public.goods').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: MORE }).click();
    await page.getByRole('menuitem', { name: '装载线程数' }).click();
    const drawer = page.getByRole('dialog', { name: '1 个通道的装载线程数' });
    await expect(drawer).toContainText('m-near');
    await drawer.getByLabel('装载线程数').fill('7');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    type Parallel = { name: string; threads: number; lanes: number };
    const { records } = await platform.call<{ records: Parallel[] }>('subscribe/channel/page', {
      sort: 'name',
    });
    expect(records.map(({ name, threads, lanes }) => [name, threads, lanes]).sort()).toEqual([
      ['m-far-1', 2, 4],
      ['m-far-2', 2, 4],
      ['m-near', 7, 1],
    ]);
    await page.goto(`${platform.url}/zcbus/subscribe/data-sheet`);
    await expect(front(page).locator('[data-state=incremental-running]')).toHaveCount(4, SLOW);
  });

  await test.step('flow path and topology draw what runs, and a click opens the last hour or the page of each part', async () => {
    const opens = async (box: RegExp, address: RegExp) => {
      await front(page).getByRole('button', { name: box }).first().click(SLOW);
      await expect(page).toHaveURL(address, SLOW);
      await page.goBack();
    };
    await page.getByRole('navigation', { name: '主菜单' }).getByText('同步图').click();
    await opens(new RegExp(`^${source}`), /\/publishsubdetail\/postgresql\//);
    const measures = async (box: RegExp, name: string, chart: string, address: RegExp) => {
      await front(page).getByRole('button', { name: box }).first().click(SLOW);
      const drawer = page.getByRole('dialog', { name: `${name} 的指标` });
      await expect(drawer.getByRole('figure', { name: chart, exact: true })).toBeVisible(SLOW);
      await drawer.getByRole('link', { name: '打开页面' }).click();
      await expect(page).toHaveURL(address, SLOW);
      await page.goBack();
      if (await drawer.isVisible()) await page.keyboard.press('Escape');
      await expect(drawer).toBeHidden();
    };
    await measures(/^shared ?发布/, 'shared', '各段耗时', /\/publishsubdetail\/postgresql\//);
    await measures(/^2 张表的主题/, 'shared', '各段耗时', /\/publishsubdetail\/postgresql\//);
    await measures(/^m-near ?订阅 · near/, 'm-near', '全量装载', /\/data-sheet\?channel=/);
    await opens(new RegExp(`^${far}`), /\/data-sheet\?channel=/);
    await front(page).getByRole('link', { name: '主机与服务器' }).click();
    await opens(/default ?4 个服务/, /\/containerdetail\//);
    await opens(new RegExp(`:${postgresql.port} ?PostgreSQL`), /\/publishsubdetail\/postgresql\//);
    await opens(new RegExp(`:${mariadb.port} ?MySQL`), /\/data-sheet\?channel=/);
    await expectAccessible(page);
    await page.goto(`${platform.url}/zcbus/subscribe/data-sheet`);
  });

  await test.step('a table goes to the other channel of its master and on from there; a rebalance takes one back, in English', async () => {
    await switchLanguage(page, 'en');
    const row = rowOf(page, `${far}.goods`);
    await expect(row).toContainText('Suspend', SLOW);
    const there = (await row.textContent())?.includes('m-far-1') ? 'm-far-2' : 'm-far-1';
    await row.getByRole('checkbox').check();
    await front(page).getByRole('button', { name: MORE }).click();
    await page.getByRole('menuitem', { name: 'Channel transfer' }).click();
    const transfer = page.getByRole('dialog', { name: 'Transfer 1 table to another channel' });
    await transfer.getByRole('combobox', { name: 'Target channel' }).click();
    await page.locator('.ant-select-dropdown:visible').getByTitle(there).click();
    await expect(transfer.getByRole('row', { name: /public\.goods/ })).toContainText(there);
    await expectAccessible(page);
    await transfer.getByRole('button', { name: 'Move 1 table' }).click();
    await expect(transfer).toBeHidden();
    await expect(row).toContainText(there);
    await expect(state(`${far}.goods`, 'incremental-running')).toBeVisible({ timeout: 60_000 });
    await databases.execute('postgresql', source, "update goods set name = 'y' where id = 300");
    const newest = () => databases.rows('mysql', far, 'select count(*), max(name) from goods');
    await expect
      .poll(async () => (await newest()).map((one) => one.map(String)), { timeout: 60_000 })
      .toEqual([['300', 'y']]);
    await front(page).getByRole('link', { name: 'Masters and channels' }).click();
    await rowOf(page, 'm-far').getByRole('button', { name: /More/ }).click();
    await page.getByRole('menuitem', { name: 'Rebalance' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rebalance the channels of m-far' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await expect(dialog.getByRole('row', { name: /2 → 1/ })).toContainText(there);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Move 1 table' }).click();
    await expect(dialog).toBeHidden();
    await front(page).getByRole('link', { name: 'Subscribed tables' }).click();
    await expect(front(page).locator('[data-state=incremental-running]')).toHaveCount(4, { timeout: 60_000 });
    await switchLanguage(page, 'zh');
  });

  await test.step('a row that the target refuses is shown in the sheet and skipped there', async () => {
    await databases.execute('mysql', far, 'alter table goods add check (id < 1000)');
    await databases.execute('postgresql', source, "insert into goods values (1001, 'too many')");
    const row = rowOf(page, `${far}.goods`);
    await row.getByRole('button', { name: 'public.goods 的 1 个未解决异常行' }).click({ timeout: 60_000 });
    const errors = page.getByRole('dialog', { name: '异常处理' });
    await expect(errors.getByRole('row', { name: /1001/ })).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page);
    await errors.getByRole('row', { name: /1001/ }).getByRole('checkbox').check();
    await errors.getByRole('button', { name: '跳过' }).first().click();
    await page.locator('.ant-modal-confirm').getByRole('button', { name: '跳过' }).click();
    await expect(errors.getByRole('row', { name: /1001/ })).toBeHidden({ timeout: 60_000 });
    await page.keyboard.press('Escape');
    await expect(errors).toBeHidden();
    await expect(row.getByRole('button', { name: /未解决异常行/ })).toBeHidden({ timeout: 60_000 });
  });

  await test.step('a table is suspended alone, its settings are changed, and it is unbound', async () => {
    const row = rowOf(page, `${far}.parts`);
    await row.getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '暂停', exact: true }).first().click();
    await expect(state(`${far}.parts`, 'suspended')).toBeVisible({ timeout: 60_000 });
    await row.getByRole('button', { name: 'public.parts', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'public.parts 的订阅配置' });
    await drawer.getByLabel('源端条件').fill('id > 1');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await agreeToReload(page);
    await expect(drawer).toBeHidden();
    await ruled(page, row);
    await row.getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '恢复', exact: true }).first().click();
    const rows = () => databases.rows('mysql', far, 'select note from parts');
    await expect.poll(rows, { timeout: 60_000 }).toEqual([['TWO']]);
    await expect(state(`${far}.parts`, 'incremental-running')).toBeVisible(SLOW);
    await row.getByRole('checkbox').check();
    await front(page).getByRole('button', { name: MORE }).click();
    await page.getByRole('menuitem', { name: '解绑' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '解绑' }).click();
    await expect(row).toBeHidden();
    await expect(front(page).locator('[data-state=incremental-running]')).toHaveCount(3);
  });

  await test.step('subscribed again, it resumes at its position, with its rule and its condition', async () => {
    await databases.execute('postgresql', source, "insert into parts values (3, 'three')");
    // Another load would overwrite it.
    await databases.execute('mysql', far, "update parts set note = 'by hand' where id = 2");
    await front(page).getByRole('link', { name: '主控与通道' }).click();
    await rowOf(page, 'm-far')
      .getByRole('button', { name: /添加表/ })
      .click();
    const adding = page.getByRole('dialog', { name: '为主控 m-far 添加表' }).first();
    await expect(adding.getByRole('checkbox', { name: '已解绑的表从原位点继续' })).toBeChecked();
    await adding.getByRole('button', { name: '选择全部 1 张' }).click();
    await expectAccessible(page);
    await adding.getByRole('button', { name: '订阅 1 张表' }).click();
    await expect(adding).toBeHidden(SLOW);
    const rows = () => databases.rows('mysql', far, 'select note from parts order by id');
    await expect.poll(rows, SLOW).toEqual([['by hand'], ['THREE']]);
  });
});

/** Other rows mean another load: the console asks before that. */
async function agreeToReload(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: /并重新全量装载？/ });
  await expect(question).toContainText('该表恢复后开始全量装载');
  await question.getByRole('button', { name: '修改并重新装载' }).click();
}

/** Gives a table that stands still an ETL rule; one that does not compile is refused. */
async function ruled(page: Page, row: Locator): Promise<void> {
  await row.getByRole('checkbox').check();
  await front(page).getByRole('button', { name: MORE }).click();
  await page.getByRole('menuitem', { name: 'ETL 规则' }).click();
  const rules = page.getByRole('dialog', { name: 'public.parts 的 ETL 规则' });
  await rules.getByRole('button', { name: '添加规则' }).click();
  const form = page.getByRole('dialog', { name: '添加规则' });
  await form.getByLabel('列名').fill('note');
  await form.getByRole('textbox', { name: '表达式' }).fill('upper(nothing)');
  await expectAccessible(page);
  await form.getByRole('button', { name: '保存' }).click();
  await agreeToReload(page);
  await expect(form.getByText(/不可用：upper\(nothing\)/)).toBeVisible({ timeout: 60_000 });
  await form.getByRole('textbox', { name: '表达式' }).fill('upper(note)');
  await form.getByRole('button', { name: '保存' }).click();
  await agreeToReload(page);
  await expect(form).toBeHidden({ timeout: 60_000 });
  // It lay over the drawer, whose button it came from.
  await expect(rules.getByRole('button', { name: '添加规则' })).toBeFocused();
  await expect(rules.getByRole('row', { name: /upper\(note\)/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(rules).toBeHidden();
}
