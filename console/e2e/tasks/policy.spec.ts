import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
} from '../support/fixtures';
import { front } from './wizard';

const SLOW = { timeout: 90_000 };

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-dropdown:visible').getByTitle(option).click();
}

test('a policy is defined, released, distributed, upgraded and rolled back', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'policy_source');
  const target = await databases.create('postgresql', 'policy_target');
  await databases.execute(
    'postgresql',
    source,
    `create table orders (id int primary key, total int);
     create table lines (id int primary key, note text);
     insert into orders select n, n from generate_series(1, 100) n;`,
  );
  const place = (database: string) => ({ kind, host, port, user, password, database });
  const nodeMaster = await platform.call('publish/node/add', { name: 'shop', connection: place(source) });
  const tables = ['orders', 'lines'].map((table) => ({ schema: 'public', table }));
  await platform.call('publish/table/add', { nodeMaster, tables });
  const customerId = await platform.call('subscribe/customer/add', {
    name: 'branch',
    connection: place(target),
  });
  const { records } = await platform.call<{ records: { id: string }[] }>('subscribe/database/page', {
    customerId,
  });
  const databaseId = records[0]?.id;
  await platform.call('subscribe/control/add', { name: 'main', customerId, databaseId, nodeMaster });
  const count = () => databases.rows('postgresql', target, 'select count(*)::int from public.orders');
  const row = (name: string) => front(page).getByRole('row').filter({ hasText: name });
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, platform, '/policy/define');

  await test.step('a policy is made, its tables are chosen, and it is released', async () => {
    await front(page).getByRole('button', { name: '新建策略' }).first().click();
    const drawer = page.getByRole('dialog', { name: '新建策略' });
    await drawer.getByRole('button', { name: /^保\s?存$/ }).click();
    await expect(drawer.getByText('请选择节点')).toBeVisible();
    await drawer.getByRole('textbox', { name: '策略名称' }).fill('retail');
    await choose(page, '发布节点', 'shop');
    await shot(page, 'policy-new-zh');
    await drawer.getByRole('button', { name: /^保\s?存$/ }).click();
    await row('retail').getByRole('button', { name: '数据表' }).click();
    await front(page).getByRole('button', { name: '添加表' }).first().click();
    const adding = page.getByRole('dialog', { name: '添加表' });
    await adding.getByRole('button', { name: '全选 2 张' }).click();
    await adding.getByRole('button', { name: '添加 2 张表' }).click();
    await expect(row('public.orders')).toContainText('已发布');
    await shot(page, 'policy-sheet-zh');
    await expectNothingBeside(page);
    await expectAccessible(page);
    await page.goBack();
    await release(page, '生成版本', '第一版');
    await expect(row('retail')).toContainText('已生成版本');
    await shot(page, 'policy-define-zh');
    await expectNothingBeside(page);
    await expectAccessible(page);
  });

  await test.step('it is distributed after a preview of its changes', async () => {
    await page.getByRole('menuitem', { name: '策略分发' }).click();
    await front(page).getByRole('button', { name: '分发' }).first().click();
    const drawer = page.getByRole('dialog', { name: '分发' });
    await drawer.getByRole('button', { name: /^分\s?发$/ }).click();
    await expect(drawer.getByText('请选择策略')).toBeVisible();
    await choose(page, '策略', 'retail');
    await choose(page, '版本', /^版本 1/);
    await choose(page, '订阅者 / 主控', 'branch / main');
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: '预览改动' }).click();
    await expect(drawer.getByText('预检查通过')).toBeVisible(SLOW);
    await shot(page, 'policy-preview-zh');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: /^分\s?发$/ }).click();
    await expect(row('branch').getByText('已生效')).toBeVisible(SLOW);
    await expect.poll(count, SLOW).toEqual([[100]]);
    await shot(page, 'policy-distribute-zh');
    await expectNothingBeside(page);
  });

  await test.step('the next version upgrades it, and it is rolled back', async () => {
    await switchLanguage(page, 'en');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.getByRole('menuitem', { name: 'Policy definition' }).click();
    await row('retail').getByRole('button', { name: 'Tables' }).click();
    await row('public.orders').getByRole('button', { name: 'Edit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit public.orders' });
    await drawer.getByRole('textbox', { name: 'Source condition' }).fill('total > 60');
    await drawer.getByRole('button', { name: 'Add rule' }).click();
    await drawer.getByRole('textbox', { name: 'Column' }).fill('total');
    await choose(page, 'Kind', 'Expression');
    await drawer.getByRole('textbox', { name: 'Expression' }).fill('total * 2');
    await shot(page, 'policy-table-en');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(row('public.orders')).toContainText('total > 60');
    await page.goBack();
    await release(page, 'Release', 'large orders only', true);
    await page.getByRole('menuitem', { name: 'Policy distribution' }).click();
    await row('branch').getByRole('button', { name: 'Upgrade' }).click();
    const upgrade = page.getByRole('dialog', { name: 'Distribute' });
    await upgrade.getByRole('button', { name: 'Preview' }).click();
    await expect(upgrade.getByText('Load again')).toBeVisible(SLOW);
    await shot(page, 'policy-upgrade-en');
    await upgrade.getByRole('button', { name: 'Distribute' }).click();
    await expect.poll(count, SLOW).toEqual([[40]]);
    await expect(row('branch').getByText('Active')).toBeVisible(SLOW);
    await shot(page, 'policy-distribute-en');
    await expectNothingBeside(page);
    await expectAccessible(page);
    await row('branch').getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await expect.poll(count, SLOW).toEqual([[100]]);
  });

  async function release(on: Page, verb: string, note: string, differs = false): Promise<void> {
    await row('retail').getByRole('button', { name: verb }).click();
    const drawer = on.getByRole('dialog');
    await drawer.getByRole('textbox').fill(note);
    if (differs) await expect(drawer.getByText('total > 60')).toBeVisible();
    await shot(on, `policy-release-${verb}`);
    await drawer.getByRole('button', { name: verb }).click();
    await expect(drawer).toBeHidden();
  }
});
