import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front, rowOf, typeConnection } from './wizard';

const SLOW = { timeout: 60_000 };

test('a process: made with its database, its tables with the rule they need, and rows that arrive transformed', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'raw_source');
  const target = await databases.create('postgresql', 'clean_target');
  await databases.execute(
    'postgresql',
    source,
    `create table people (id int primary key, name text);
     create table towns (id int primary key, name text);
     insert into people select n, 'person ' || n from generate_series(1, 100) n;
     insert into towns values (1, 'rome'), (2, 'oslo');`,
  );
  const { kind, host, port, user, password } = server;
  const connection = { kind, host, port, user, password, database: source };
  const nodeMaster = await platform.call('publish/node/add', { name: 'raw', connection });
  const tables = ['people', 'towns'].map((table) => ({ schema: 'public', table }));
  await platform.call('publish/table/add', { nodeMaster, tables });
  await signIn(page, platform, '/databus/process');

  await test.step('a process is made with its database, which passes the test', async () => {
    await front(page).getByRole('button', { name: '新建处理' }).first().click();
    const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
    await dialog.getByRole('button', { name: 'PostgreSQL' }).click();
    await front(page).getByRole('textbox', { name: '处理' }).fill('cleaning');
    await typeConnection(page, { server, database: target });
    await front(page).getByRole('button', { name: '测试并保存' }).click();
    await expect(rowOf(page, 'cleaning')).toBeVisible(SLOW);
    await expectAccessible(page);
    await front(page).getByRole('link', { name: '数据库管理' }).click();
    await expect(rowOf(page, 'cleaning')).toContainText(target, SLOW);
  });

  await test.step('its master takes no table before there is a rule', async () => {
    await front(page).getByRole('link', { name: '主控与通道' }).click();
    await front(page).getByRole('button', { name: '新建主控' }).first().click(SLOW);
    const drawer = page.getByRole('dialog', { name: '新建主控' });
    await drawer.getByLabel('主控名称').fill('cleaner');
    for (const [field, option] of [
      ['处理', /^cleaning$/],
      ['目标库', /^cleaning /],
      ['发布节点', /^raw$/],
    ] as const) {
      await drawer.getByRole('combobox', { name: field }).click();
      await page.locator('.ant-select-dropdown:visible').getByTitle(option).click(SLOW);
    }
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden(SLOW);
    await rowOf(page, 'cleaner')
      .getByRole('button', { name: /添加表/ })
      .click(SLOW);
    const adding = page.getByRole('dialog', { name: '为主控 cleaner 添加表' });
    await adding.getByRole('button', { name: '选择全部 2 张' }).click(SLOW);
    const add = adding.getByRole('button', { name: '加入 2 张表' });
    await expect(add).toBeDisabled(SLOW);
    await add.press('Enter');
    await expect(page.getByRole('tooltip')).toContainText('不允许存在没有 ETL 规则的表');
    await adding.getByRole('button', { name: '添加规则' }).click();
    const form = page.getByRole('dialog', { name: '添加规则' });
    await form.getByLabel('列名').fill('name');
    await form.getByRole('textbox', { name: '表达式' }).fill('upper(name)');
    await form.getByRole('button', { name: '保存' }).click();
    await expect(form).toBeHidden(SLOW);
    await expect(adding.getByRole('row', { name: /upper\(name\)/ })).toBeVisible(SLOW);
    await expectAccessible(page);
    await add.click();
    await expect(adding).toBeHidden(SLOW);
  });

  await test.step('rows and changes arrive transformed', async () => {
    await front(page).getByRole('link', { name: '加工数据表' }).click();
    const running = front(page).locator('[data-state=incremental-running]');
    await expect(running).toHaveCount(2, { timeout: 90_000 });
    await expectAccessible(page);
    await databases.execute('postgresql', source, "update people set name = 'last' where id = 100");
    const rows = () =>
      databases.rows('postgresql', target, 'select name from people where id > 98 order by id');
    await expect.poll(rows, SLOW).toEqual([['PERSON 99'], ['LAST']]);
  });

  await test.step('what cannot be done with a table now is reached by keyboard, and says why', async () => {
    await rowOf(page, 'public.towns').getByRole('checkbox').check();
    await front(page)
      .getByRole('button', { name: /^(down )?更多$/ })
      .focus();
    await page.keyboard.press('Enter');
    const refused = page.getByRole('menuitem', { name: '重置并启动' });
    await expect(page.getByRole('menuitem', { name: '接受缺口并继续' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(refused).toBeFocused();
    await expect(refused).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByRole('tooltip').last()).toContainText('所选的表当前都不能执行此操作');
    await page.keyboard.press('Escape');
    await expect(refused).toBeHidden();
  });

  await test.step('in English: the last rule stays, and the service is one of a process', async () => {
    await switchLanguage(page, 'en');
    await expect(rowOf(page, 'public.towns')).toContainText('Suspend', SLOW);
    await rowOf(page, 'public.towns').getByRole('button', { name: 'ETL rules of public.towns' }).click();
    const rules = page.getByRole('dialog', { name: 'ETL rules of public.towns' });
    await expect(rules.getByRole('button', { name: 'Delete the rule of column name' })).toBeDisabled(SLOW);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.goto(`${platform.url}/zcbus/system/service_management?search=cleaner`);
    await expect(rowOf(page, 'cleaner')).toContainText('Process', SLOW);
  });
});
