import { readFileSync } from 'node:fs';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front } from './wizard';

const SLOW = { timeout: 60_000 };
const SHOTS = process.env.SHOTS;

test('replicated rows of a link are charted over time, to the row, and zoomed', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(240_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'metrics_source');
  const target = await databases.create('postgresql', 'metrics_target');
  await databases.execute(
    'postgresql',
    source,
    'create table orders (id int primary key, n int); insert into orders select n, n from generate_series(1, 500) n;',
  );
  const server = { kind, host, port, user, password };
  const document = {
    link: 'measured',
    source: { ...server, database: source },
    target: { ...server, database: target },
    tables: ['public.*'],
  };
  const { id } = await platform.call<{ id: string }>('sync/link/apply', { document, start: true });
  const count = async (sql: string) => String((await databases.rows('postgresql', target, sql))[0]);
  await expect
    .poll(() => count("select count(*) from pg_tables where tablename = 'orders'"), SLOW)
    .toEqual('1');
  await expect.poll(() => count('select count(*) from orders'), SLOW).toEqual('500');
  await databases.execute(
    'postgresql',
    source,
    'insert into orders select n, n from generate_series(501, 620) n; update orders set n = 0 where id <= 40; delete from orders where id > 600;',
  );
  await signIn(page, platform, `/sync-link-config/${id}`);
  const applied = front(page).getByRole('figure', { name: '已应用的变更' });

  await test.step('the figures are those that were written, and the newest comes by itself', async () => {
    await front(page).getByRole('tab', { name: '指标' }).click();
    await expect(front(page).getByRole('figure', { name: '全量装载', exact: true })).toContainText(
      '合计 500',
      SLOW,
    );
    await expect(applied).toContainText('合计 120', SLOW);
    await expect(applied).toContainText('合计 40');
    await expect(applied).toContainText('合计 20');
    await expect(applied.locator('canvas')).toBeVisible();
    await expectAccessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-zh.png` });
  });

  await test.step('the same data as a table and as a file', async () => {
    await applied.getByRole('button', { name: '以表格显示' }).click();
    await expect(applied.getByRole('table').getByRole('row').first()).toHaveText('时间插入更新删除事件');
    const download = page.waitForEvent('download');
    await applied.getByRole('button', { name: '下载 CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('measured-applied.csv');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toContain('插入 (rows/s)');
    const rows = await applied.getByRole('table').getByRole('row').count();
    expect(Math.abs(lines.length - rows)).toBeLessThan(2);
    await applied.getByRole('button', { name: '以图表显示' }).click();
  });

  await test.step('a range is dragged, and left again', async () => {
    const box = await applied.locator('.u-over').boundingBox();
    if (!box) throw new Error('There is no chart');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.85, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.999, y, { steps: 5 });
    await page.mouse.up();
    await expect(page).toHaveURL(/range=own/);
    await expect(front(page).getByPlaceholder('开始时间')).toBeVisible();
    await expectAccessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-own.png` });
    await applied.locator('.u-over').dblclick();
    await expect(page).not.toHaveURL(/range=own/);
  });

  await test.step('a table and a service have theirs', async () => {
    await front(page).getByRole('tab', { name: '表', exact: true }).click();
    await front(page)
      .getByRole('button', { name: /查看 public.orders 的指标/ })
      .click();
    const drawer = page.getByRole('dialog', { name: 'public.orders 的指标' });
    await expect(drawer.getByRole('figure', { name: '已应用的变更' })).toContainText('合计 120', SLOW);
    await expectAccessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-table.png` });
    await page.keyboard.press('Escape');
    await front(page).getByRole('tab', { name: '服务' }).click();
    await front(page).getByRole('button', { name: 'measured 的指标' }).first().click();
    await expect(page.getByRole('figure', { name: '内存' })).toBeVisible(SLOW);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-service.png` });
    await page.keyboard.press('Escape');
    await front(page).getByRole('tab', { name: '指标' }).click();
  });

  await test.step('the link monitor has the last hour of each hop', async () => {
    await page.goto(`${platform.url}/zcbus/linkMonitor`);
    const link = front(page).getByRole('row', { name: /measured/ });
    await link.getByRole('button').nth(2).click(SLOW);
    const drawer = page.getByRole('dialog', { name: 'measured · 总线 → 应用 的指标' });
    await expect(drawer.getByRole('figure', { name: '各段耗时' })).toBeVisible(SLOW);
    await expectAccessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-hop.png` });
    await drawer.getByRole('link', { name: '打开页面' }).click();
    await expect(page).toHaveURL(new RegExp(`/sync-link-config/${id}`));
    await page.goto(`${platform.url}/zcbus/sync-link-config/${id}?tab=metrics`);
  });

  await test.step('what happened is one list, and marked on the charts', async () => {
    await platform.call('sync/link/pause', { id });
    await front(page).getByRole('tab', { name: '时间线' }).click();
    const list = front(page).getByRole('table', { name: '时间线' });
    await expect(list.getByRole('row', { name: /暂停链路.*measured.*local.*成功/ })).toBeVisible(SLOW);
    await expect(list.getByRole('row', { name: /全量装载.*public.orders.*完成/ })).toBeVisible();
    await expect(list.getByRole('row', { name: /进程启动/ })).toHaveCount(2);
    await expectAccessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/timeline-zh.png` });
    await front(page).getByLabel('类别', { exact: true }).selectOption('全量装载');
    await expect(list.getByRole('row', { name: /暂停链路/ })).toHaveCount(0);
    await expect(list.getByRole('row', { name: /全量装载/ })).toHaveCount(1);
    await front(page).getByRole('tab', { name: '指标' }).click();
    await applied.getByRole('button', { name: '以表格显示' }).click();
    await expect(applied.getByRole('cell', { name: /暂停链路 · measured/ })).toBeVisible(SLOW);
    await applied.getByRole('button', { name: '以图表显示' }).click();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-events.png` });
  });

  await test.step('a task has its own', async () => {
    await front(page).getByRole('button', { name: '查看同步任务' }).click();
    // The link's page has a tab of the same name, and is in front until the task's has come.
    await expect(front(page).getByRole('button', { name: '查看同步链路' })).toBeVisible();
    await front(page).getByRole('tab', { name: '指标' }).click();
    await expect(front(page).getByRole('figure', { name: '已应用的变更' })).toContainText('合计 120', SLOW);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-task.png` });
    await page.goto(`${platform.url}/zcbus/sync-link-config/${id}?tab=metrics`);
  });

  await test.step('in English, in a small window', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await switchLanguage(page, 'en');
    await front(page).getByText('15 m', { exact: true }).click();
    await expect(front(page).getByRole('figure', { name: 'Applied changes' })).toContainText('120 in all');
    await expectAccessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/metrics-en.png` });
  });
});
