import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectDialog,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
} from '../support/fixtures';
import { front, rowOf } from './wizard';

const SLOW = { timeout: 60_000 };
const PATH = '/system/zbmq-management';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

test('topics are watched, records looked into, retention changed, a topic deleted', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'bus_source');
  const target = await databases.create('postgresql', 'bus_target');
  const sql = (text: string) => databases.execute('postgresql', source, text);
  await sql('create table people (id int primary key, name text); insert into people values (1, $$Ann$$)');
  const server = { kind, host, port, user, password };
  const nodeMaster = await platform.call<string>('publish/node/add', {
    name: 'hr',
    connection: { ...server, database: source },
  });
  const tables = [{ schema: 'public', table: 'people' }];
  const added = await platform.call<{ id: string }[]>('publish/table/add', { nodeMaster, tables });
  const customerId = await platform.call<string>('subscribe/customer/add', {
    name: 'payroll',
    connection: { ...server, database: target },
  });
  const { records } = await platform.call<{ records: { id: string }[] }>('subscribe/database/page', {
    customerId,
  });
  const controlId = await platform.call('subscribe/control/add', {
    name: 'payroll',
    customerId,
    databaseId: records[0]?.id,
    nodeMaster,
    clean: 'drop',
  });
  await platform.call('subscribe/table/add', { controlId, tables: added.map(({ id }) => id) });
  const counted = async () =>
    String((await databases.rows('postgresql', target, 'select count(*) from people').catch(() => []))[0]);
  await expect.poll(counted, SLOW).toEqual('1');
  await sql('insert into people values (2, $$Bo$$); update people set name = $$Cy$$ where id = 1');
  await expect.poll(counted, SLOW).toEqual('2');
  const real = `real/${nodeMaster}`;

  await test.step('the list says what a topic is of, and who reads it', async () => {
    await signIn(page, platform, PATH);
    const row = rowOf(page, real);
    await expect(row).toContainText('增量变更');
    await expect(row).toContainText('hr');
    await expect(row).toContainText('72 小时');
    // The channel has reported its position once it is known.
    await expect(row).toContainText(/（[\d.]+ (B|KiB)）/, SLOW);
    await expectAccessible(page);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expectNothingBeside(page);
      await shoot(page, `bus-list-zh-${size.width}`);
    }
    await switchLanguage(page, 'en');
    await expect(rowOf(page, real)).toContainText('Changes');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expectNothingBeside(page);
      await shoot(page, `bus-list-en-${size.width}`);
    }
    await front(page).getByLabel('Use', { exact: true }).selectOption('full');
    await expect(rowOf(page, 'hr · public.people')).toContainText('Full data 1');
    await front(page).getByLabel('Use', { exact: true }).selectOption('');
    await switchLanguage(page, 'zh');
  });

  await test.step('the drawer shows readers, and rows within records', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectDialog(page, rowOf(page, real).getByRole('button', { name: real }), 'topic');
    await rowOf(page, real).getByRole('button', { name: real }).click();
    const drawer = page.getByRole('dialog', { name: real });
    await expect(drawer.getByRole('table', { name: '读取者' })).toContainText('payroll');
    await shoot(page, 'bus-readers-zh');
    await drawer.getByRole('tab', { name: '查看记录' }).click();
    await drawer.getByLabel('仅含表的记录').check();
    const changes = drawer.getByRole('row').filter({ hasText: 'public.people: +1' });
    await expect(changes.first()).toContainText('变更');
    await changes.first().getByRole('button').first().click();
    const rows = drawer.getByRole('table', { name: /的行$/ });
    await expect(rows).toContainText('Bo');
    await expectAccessible(page, 'records', '[role=dialog]');
    await shoot(page, 'bus-records-zh');
    await page.setViewportSize({ width: 1280, height: 800 });
    await shoot(page, 'bus-records-zh-1280');
    await drawer.getByLabel('表名').fill('nowhere');
    await page.keyboard.press('Enter');
    await expect(drawer).toContainText('没有符合条件的记录');
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
  });

  await test.step('a shorter retention says first what it takes', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await rowOf(page, real).getByRole('button', { name: '保留时间' }).click();
    const drawer = page.getByRole('dialog', { name: 'hr 的保留时间' });
    await drawer.getByLabel('记录保留').fill('24');
    await expect(drawer).toContainText('目前不会清除记录');
    await expectAccessible(page, 'retention', '[role=dialog]');
    await shoot(page, 'bus-retention-zh');
    await drawer.getByRole('button', { name: /保\s*存/ }).click();
    await page
      .getByRole('dialog', { name: /只保留 24 小时/ })
      .getByRole('button', { name: /缩\s*短/ })
      .click();
    await expect(rowOf(page, real)).toContainText('24 小时');
  });

  await test.step('a topic goes once its node is stopped and its name is typed', async () => {
    const remove = async () => {
      const row = rowOf(page, real);
      const direct = row.getByRole('button', { name: '删除', exact: true });
      if (!(await direct.isVisible())) await row.getByRole('button', { name: '更多' }).click();
      await page.getByRole('menuitem', { name: '删除' }).or(direct).first().click();
    };
    await remove();
    const refused = page.getByRole('dialog').filter({ hasText: '目前不能删除该主题' });
    await expect(refused).toContainText('发布节点 hr 的服务未停止');
    await refused.getByRole('button').last().click();
    await platform.call('publish/node/stop', { nodeMaster });
    const state = async () =>
      (await platform.call<{ state: string }>('publish/buspushstatustb/getNodeInfo', { nodeMaster })).state;
    await expect.poll(state, SLOW).toBe('stopped');
    await remove();
    const dialog = page.getByRole('dialog', { name: `确定删除主题 ${real}？` });
    await expect(dialog).toContainText('payroll');
    await expectAccessible(page, 'delete', '[role=dialog]');
    await shoot(page, 'bus-delete-zh');
    await dialog.getByRole('button', { name: '删除主题' }).click();
    await expect(page.getByText(`请输入完整的主题名称 ${real} 以确认删除`).first()).toBeVisible();
    await dialog.getByRole('textbox').fill(real);
    await dialog.getByRole('button', { name: '删除主题' }).click();
    await expect(dialog).toBeHidden();
    await expect(rowOf(page, real)).toHaveCount(0, SLOW);
  });

  await test.step('its tables do not run on over the gap', async () => {
    await sql('insert into people values (3, $$Di$$)');
    await platform.call('publish/node/start', { nodeMaster });
    const state = async () => {
      const { records: found } = await platform.call<{ records: { state: string }[] }>('publish/table/page', {
        nodeMaster,
      });
      return found[0]?.state;
    };
    await expect.poll(state, SLOW).toBe('publish-failed');
  });
});
