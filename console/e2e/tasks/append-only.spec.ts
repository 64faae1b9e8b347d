import { expect, expectAccessible, signIn, test } from '../support/fixtures';
import { front, rowOf } from './wizard';

const SLOW = { timeout: 60_000 };

test('a table without any key is published append-only: duplicates arrive, an update is kept as an exception', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(240_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'append_source');
  const target = await databases.create('postgresql', 'append_target');
  await databases.execute(
    'postgresql',
    source,
    `create table visits (page text, seconds int);
     alter table visits replica identity full;
     create table goods (id int primary key, name text);
     insert into visits select 'home', 1 from generate_series(1, 50);
     insert into visits values (null, null), (null, null);`,
  );
  const connection = (database: string) => {
    const { kind, host, port, user, password } = server;
    return { kind, host, port, user, password, database };
  };
  await platform.call('publish/node/add', { name: 'visits', connection: connection(source) });
  await platform.call('subscribe/customer/add', { name: 'keeper', connection: connection(target) });
  await signIn(page, platform, '/publish');
  const state = (table: string, wanted: string) => rowOf(page, table).locator(`[data-state=${wanted}]`);

  await test.step('only the table without a key is offered it, with what it means', async () => {
    await front(page)
      .getByRole('button', { name: 'visits', exact: true })
      .or(front(page).getByRole('link', { name: 'visits', exact: true }))
      .first()
      .click();
    await front(page).getByRole('button', { name: '添加表' }).first().click();
    const drawer = page.getByRole('dialog', { name: '添加要发布的表' });
    const offer = drawer.getByRole('checkbox', { name: '无键的表以只追加方式发布' });
    await drawer
      .getByRole('row', { name: /public\.goods/ })
      .getByRole('checkbox')
      .check();
    await expect(offer).toBeHidden();
    await drawer.getByRole('button', { name: '选择全部 2 张' }).click();
    await offer.check();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '发布 2 张表' }).click();
    const question = page.locator('.ant-modal-confirm');
    await expect(question).toContainText('以只追加方式发布 1 张表？');
    await expect(question).toContainText('public.visits');
    await expect(question).toContainText('重复行会保留，更新和删除不会应用');
    await expectAccessible(page);
    await question.getByRole('button', { name: '以只追加方式发布' }).click();
    await expect(state('public.visits', 'incremental-release')).toBeVisible(SLOW);
    await expect(rowOf(page, 'public.visits').getByText('只追加')).toBeVisible();
    await expect(rowOf(page, 'public.goods').getByText('只追加')).toBeHidden();
    await expect(rowOf(page, 'public.visits').getByText('只追加')).toHaveAttribute(
      'title',
      /更新和删除不应用/,
    );
  });

  await test.step('its subscriber gets every row, duplicates too, and new ones', async () => {
    await page.goto(`${platform.url}/zcbus/subscribe/customer`);
    await front(page).getByRole('link', { name: '主控与通道' }).click();
    await front(page).getByRole('button', { name: '新建主控' }).first().click();
    const drawer = page.getByRole('dialog', { name: '新建主控' });
    await drawer.getByLabel('主控名称').fill('m-keeper');
    for (const [field, option] of [
      ['订阅者', /^keeper$/],
      ['目标类型', /^PostgreSQL$/],
      ['目标库', /^keeper /],
      ['发布节点', /^visits$/],
    ] as const) {
      await drawer.getByRole('combobox', { name: field }).click();
      await page.locator('.ant-select-dropdown:visible').getByTitle(option).click();
    }
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    await rowOf(page, 'm-keeper')
      .getByRole('button', { name: /添加表/ })
      .click();
    const adding = page.getByRole('dialog', { name: '为主控 m-keeper 添加表' }).first();
    await adding.getByRole('button', { name: '选择全部 2 张' }).click();
    await adding.getByRole('button', { name: '订阅 2 张表' }).click();
    await expect(adding).toBeHidden(SLOW);
    await front(page).getByRole('link', { name: '订阅数据表' }).click();
    await expect(state('public.visits', 'incremental-running')).toBeVisible({ timeout: 90_000 });
    await expect(rowOf(page, 'public.visits').getByText('只追加')).toBeVisible();
    await databases.execute('postgresql', source, "insert into visits values ('home', 1), ('home', 1)");
    const counted = async () =>
      (
        await databases.rows('postgresql', target, 'select page, count(*) from visits group by 1 order by 1')
      ).map((row) => row.map(String));
    await expect.poll(counted, SLOW).toEqual([
      ['home', '52'],
      ['null', '2'],
    ]);
    await expectAccessible(page);
  });

  await test.step('an update is kept as an exception that can only be skipped', async () => {
    await databases.execute('postgresql', source, 'update visits set seconds = 9 where page is null');
    const row = rowOf(page, 'public.visits');
    await row.getByRole('button', { name: 'public.visits 的 2 个未解决异常行' }).click(SLOW);
    const errors = page.getByRole('dialog', { name: '异常处理' });
    await expect(errors.getByRole('row', { name: /page=NULL/ })).toHaveCount(2, SLOW);
    await errors
      .getByRole('row', { name: /page=NULL/ })
      .first()
      .getByRole('button', { name: /详情/ })
      .click();
    const detail = page.getByRole('dialog', { name: /visits/ }).last();
    await expect(detail).toContainText('该表以只追加方式发布，该变更只能跳过');
    await expect(detail).toContainText('该表以只追加方式发布：更新和删除不会应用');
    await expect(detail.getByRole('button', { name: '重试' })).toHaveCount(0);
    await expectAccessible(page);
    await detail.getByRole('button', { name: '跳过' }).click();
    await page.locator('.ant-modal-confirm').getByRole('button', { name: '跳过' }).click();
    await expect(errors.getByRole('row', { name: /page=NULL/ })).toHaveCount(1, SLOW);
    const nothing = await databases.rows(
      'postgresql',
      target,
      'select count(*) from visits where seconds = 9',
    );
    expect(nothing.map((found) => found.map(String))).toEqual([['0']]);
    await page.keyboard.press('Escape');
  });

  await test.step('only its record counts can be compared', async () => {
    await databases.execute('postgresql', target, 'delete from visits where page is null');
    await page.goto(`${platform.url}/zcbus/subscribe/data-sheet`);
    await rowOf(page, 'public.visits').getByRole('button', { name: '未比对' }).click();
    const drawer = page.getByRole('dialog', { name: 'public.visits 的数据比对' });
    await drawer.getByRole('combobox', { name: '比对方式' }).click();
    await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option')).toHaveText(['记录数']);
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: '比对', exact: true }).click();
    await expect(drawer.getByRole('alert')).toContainText('只能按记录数比对', SLOW);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  });

  await test.step('loading it again asks first, and says what becomes of duplicates', async () => {
    await page.goto(`${platform.url}/zcbus/subscribe/data-sheet`);
    await rowOf(page, 'public.visits').getByRole('checkbox').check();
    await front(page).getByRole('button', { name: '启动全量' }).first().click();
    const question = page.locator('.ant-modal-confirm');
    await expect(question).toContainText('所有行会再添加一遍');
    await expectAccessible(page);
  });
});
