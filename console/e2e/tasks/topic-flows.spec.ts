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

async function shots(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const [width, height] of [
    [1920, 1080],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png` });
  }
}

test('every published change is accounted for', { tag: '@wide' }, async ({ page, platform, databases }) => {
  test.setTimeout(300_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'flow_source');
  const target = await databases.create('postgresql', 'flow_target');
  await databases.execute(
    'postgresql',
    source,
    'create table orders (id int primary key, n int); insert into orders select n, n from generate_series(1, 50) n;',
  );
  const server = { kind, host, port, user, password };
  const document = {
    link: 'reconciled',
    source: { ...server, database: source },
    target: { ...server, database: target },
    tables: ['public.*'],
  };
  await platform.call('sync/link/apply', { document, start: true });
  const rows = () => databases.rows('postgresql', target, 'select count(*)::int from orders').catch(() => []);
  await expect.poll(rows, SLOW).toEqual([[50]]);
  await databases.execute('postgresql', target, 'alter table orders add check (n < 1000);');
  await databases.execute(
    'postgresql',
    source,
    'insert into orders select n, n from generate_series(51, 70) n; update orders set n = 2000 where id <= 3;',
  );
  await expect.poll(rows, SLOW).toEqual([[70]]);
  await signIn(page, platform, '/monitor/pubAndSub-statistics');

  await test.step('each topic with its subscriber: 23 published, 20 applied, 3 refused', async () => {
    const table = front(page).getByRole('table', { name: '发布订阅统计' });
    const flow = table.getByRole('row', { name: /reconciled/ });
    await expect(flow).toContainText('已核对', SLOW);
    await expect(flow.getByRole('cell', { name: '23', exact: true })).toBeVisible(SLOW);
    await expect(flow.getByRole('cell', { name: '20', exact: true })).toBeVisible();
    await expectNothingBeside(page);
    await expectAccessible(page);
    await shots(page, 'flows-zh');
  });

  await test.step('by table, minute by minute as an equation', async () => {
    await front(page).getByRole('combobox', { name: '统计维度' }).selectOption('table');
    await front(page).getByRole('button', { name: 'public.orders' }).click();
    const drawer = page.getByRole('dialog', { name: /public\.orders/ });
    const minutes = drawer.getByRole('table', { name: '逐分钟核对' });
    // Nothing is known of what waited before the first minute; the next one is whole.
    await drawer.getByRole('checkbox', { name: '包含没有变更的时段' }).check();
    await expect(minutes.getByText('相等', { exact: true }).first()).toBeVisible(SLOW);
    await expect(minutes.getByText('不相等')).toHaveCount(0);
    await expect(drawer.getByRole('figure', { name: '变更去向' })).toBeVisible();
    await expectAccessible(page);
    await shots(page, 'flow-zh');
    await page.keyboard.press('Escape');
    await switchLanguage(page, 'en');
    await expect(front(page).getByRole('row', { name: /public\.orders/ })).toContainText('Reconciled', SLOW);
    // The narrowest window of all: by table the English heads need the most room.
    await page.setViewportSize({ width: 1280, height: 720 });
    await expectNothingBeside(page);
    await shots(page, 'flows-en');
  });

  await test.step('what was refused leads to its row errors', async () => {
    await front(page)
      .getByRole('row', { name: /public\.orders/ })
      .getByRole('link', { name: '3', exact: true })
      .click();
    await expect(page).toHaveURL(/sync-link-config\/.*tab=errors/);
  });
});
