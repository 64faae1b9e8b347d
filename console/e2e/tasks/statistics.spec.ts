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

const SLOW = { timeout: 60_000 };
const wide = { width: 1920, height: 1080 };
const narrow = { width: 1280, height: 720 };

/** The wall scrolls in one direction only. */
async function expectFits(page: Page): Promise<void> {
  const hidden = () =>
    front(page)
      .locator('.wall')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await expect.poll(hidden, 'pixels beside the window').toBe(0);
}

async function shots(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${size.width}.png` });
  }
}

test('what a link loaded is seen in the statistics', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(240_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'statistics_source');
  const target = await databases.create('postgresql', 'statistics_target');
  await databases.execute(
    'postgresql',
    source,
    'create table orders (id int primary key, n int); insert into orders select n, n from generate_series(1, 500) n;',
  );
  const server = { kind, host, port, user, password };
  const document = {
    link: 'counted',
    source: { ...server, database: source },
    target: { ...server, database: target },
    tables: ['public.*'],
  };
  await platform.call('sync/link/apply', { document, start: true });
  await page.setViewportSize(narrow);
  await signIn(page, platform, '/monitor/load-statistics');

  await test.step('each full load, with its rows', async () => {
    const table = front(page).getByRole('table', { name: '装载统计' });
    const load = table.getByRole('row', { name: /public\.orders/ });
    await expect(load).toContainText('已完成', SLOW);
    await expect(load).toContainText('500');
    // What the steps below wait for begins now: changes that are measured by the minute, and then a table that fails.
    await databases.execute(
      'postgresql',
      source,
      'insert into orders select n, n from generate_series(501, 530) n; update orders set n = 0 where id <= 7;',
    );
    const zeros = () => databases.rows('postgresql', target, 'select count(*)::int from orders where n = 0');
    await expect.poll(zeros, SLOW).toEqual([[7]]);
    await databases.execute('postgresql', target, 'drop table orders;');
    await databases.execute('postgresql', source, 'update orders set n = 1 where id = 1;');
    const figures = front(page).getByRole('region', { name: '装载汇总' });
    await expect(figures).toContainText('已完成1', SLOW);
    await expectNothingBeside(page);
    await expectAccessible(page);
    await shots(page, 'loads-zh');
    await front(page).getByRole('combobox', { name: '状态' }).selectOption('failed');
    await expect(front(page).getByText('没有符合条件的装载')).toBeVisible();
    await front(page).getByRole('combobox', { name: '状态' }).selectOption('finished');
    await expect(front(page).getByRole('row', { name: /public\.orders/ })).toBeVisible();
    await expectNothingBeside(page);
    await front(page).getByRole('combobox', { name: '状态' }).selectOption('');
    await switchLanguage(page, 'en');
    await expect(front(page).getByRole('row', { name: /public\.orders/ })).toContainText('Finished');
    await expectNothingBeside(page);
    await shots(page, 'loads-en');
    await front(page).getByRole('link', { name: 'counted' }).click();
    await expect(page).toHaveURL(/sync-task-config/);
  });

  await test.step('a table that fails is counted by class, and led to', async () => {
    await page.goto(`${platform.url}/zcbus/monitor/anomaly-statistics`);
    await switchLanguage(page, 'zh');
    const table = front(page).getByRole('table', { name: '异常统计' });
    await expect(async () => {
      await front(page).getByRole('button', { name: '刷新' }).click();
      await expect(table.getByRole('row').nth(1)).toContainText('1', { timeout: 2000 });
    }).toPass({ timeout: 90_000 });
    await expectNothingBeside(page);
    await shots(page, 'anomalies-zh');
    await table.getByRole('row').nth(1).getByRole('button').click();
    await expect(front(page).getByRole('link', { name: 'public.orders' })).toBeVisible();
    await expectNothingBeside(page);
    await expectAccessible(page);
    await switchLanguage(page, 'en');
    await expectNothingBeside(page);
    await shots(page, 'anomalies-en');
    await front(page).getByRole('link', { name: 'public.orders' }).click();
    await expect(page).toHaveURL(/sync-task-config/);
  });

  await test.step('key figures of the day, with gaps where nothing was measured', async () => {
    await page.goto(`${platform.url}/zcbus/monitor/index-statistics`);
    const table = front(page).getByRole('table', { name: 'Key figures' });
    const link = table.getByRole('row', { name: /counted/ });
    await expect(async () => {
      await front(page).getByRole('button', { name: 'Refresh' }).click();
      await expect(link).toContainText('37', { timeout: 2000 });
    }).toPass({ timeout: 120_000 });
    await expectNothingBeside(page);
    await expectAccessible(page);
    await shots(page, 'indexes-en');
    await link.getByRole('button', { name: 'counted' }).click();
    const drawer = page.getByRole('dialog', { name: 'counted' });
    await expect(drawer.getByRole('figure', { name: 'Applied changes', exact: true })).toContainText(
      '30 in all',
    );
    await expect(drawer.getByRole('row', { name: /Applied/ })).toContainText('37');
    await expectAccessible(page);
    await shots(page, 'index-en');
    await page.keyboard.press('Escape');
    await switchLanguage(page, 'zh');
    await front(page).getByRole('combobox', { name: '统计维度' }).selectOption('tenant');
    await expectNothingBeside(page);
    await front(page).getByRole('button', { name: '总体' }).click();
    await expect(
      page.getByRole('dialog', { name: '总体' }).getByRole('row', { name: /应用变更/ }),
    ).toContainText('37');
    await shots(page, 'index-zh');
    await page.keyboard.press('Escape');
    await shots(page, 'indexes-zh');
  });

  await test.step('the screen on the wall shows the flow, the last hour and the alert', async () => {
    await page.goto(`${platform.url}/zcbus/overview-monitor`);
    const flows = front(page).getByRole('region', { name: '数据流' });
    await expect(flows.getByRole('listitem')).toContainText(['counted']);
    await expect(flows.getByRole('listitem')).toContainText(['1 张表中 1 张出错']);
    await expect(front(page).getByRole('img', { name: /已应用: [\d,.]+\/s/ })).toBeVisible();
    await expect(front(page).getByRole('region', { name: '告警' }).getByRole('listitem')).not.toHaveCount(0);
    await expect(front(page).getByRole('region', { name: '容量' })).toContainText('磁盘');
    await expectFits(page);
    await expectAccessible(page);
    await shots(page, 'wall-zh');
    await front(page).getByRole('button', { name: '全屏' }).click();
    await expect(front(page).getByRole('button', { name: '退出全屏' })).toBeVisible();
    await front(page).getByRole('button', { name: '退出全屏' }).click();
    await switchLanguage(page, 'en');
    await expect(front(page).getByRole('region', { name: 'Flows' })).toContainText('1 of 1 tables in error');
    await expectFits(page);
    await shots(page, 'wall-en');
    await front(page).getByRole('region', { name: 'Flows' }).getByRole('link', { name: 'counted' }).click();
    await expect(page).toHaveURL(/sync-link-config/);
  });
});
