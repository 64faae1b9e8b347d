import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front } from './wizard';

const SLOW = { timeout: 60_000 };
const wide = { width: 1920, height: 1080 };
const narrow = { width: 1280, height: 720 };

async function shots(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${size.width}.png` });
  }
}

test('from a table that stopped to the lines of the logs around it', { tag: '@wide' }, async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(240_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'logs_source');
  const target = await databases.create('postgresql', 'logs_target');
  await databases.execute('postgresql', source, 'create table orders (id int primary key, n int);');
  const server = { kind, host, port, user, password };
  const document = {
    link: 'searched',
    source: { ...server, database: source },
    target: { ...server, database: target },
    tables: ['public.*'],
  };
  await platform.call('sync/link/apply', { document, start: true });
  const loaded = async () => {
    const link = await platform.call('sync/link/status', { name: 'searched' });
    return (link as { state: string }).state;
  };
  await expect.poll(loaded, SLOW).toBe('incremental-running');
  await databases.execute('postgresql', target, 'drop table orders;');
  await databases.execute('postgresql', source, 'insert into orders values (1, 1);');
  await page.setViewportSize(narrow);
  await signIn(page, platform, '/monitor/log-search');
  const list = front(page).getByRole('log', { name: '日志条目' });
  const searched = () => front(page).getByRole('button', { name: '重新检索' }).click();

  await test.step('all logs together, with counts over time', async () => {
    await expect(async () => {
      await searched();
      await expect(list.getByRole('button', { name: /table failed.*orders/ }).first()).toBeVisible({
        timeout: 3000,
      });
    }).toPass({ timeout: 90_000 });
    await expect(front(page).getByRole('figure', { name: '各时段的条目数' })).toBeVisible();
    await expectAccessible(page);
    await shots(page, 'log-search-zh');
  });

  await test.step('narrowed by level and table, followed by the lines around one', async () => {
    await front(page).getByRole('combobox', { name: '最低级别' }).selectOption('error');
    await front(page).getByRole('textbox', { name: '表' }).fill('orders');
    await page.keyboard.press('Enter');
    await expect(list.getByRole('button', { name: /captured|started/ })).toHaveCount(0, SLOW);
    await list
      .getByRole('button', { name: /table failed/ })
      .first()
      .click();
    const around = page.getByRole('dialog', { name: /前后日志/ });
    await expect(around.getByRole('log')).toContainText('table failed');
    await expectAccessible(page);
    await shots(page, 'log-around-zh');
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/log-level=error/);
  });

  await test.step('what comes is followed', async () => {
    await front(page).getByRole('button', { name: '重置' }).click();
    await front(page).getByRole('switch', { name: '实时跟踪' }).click();
    await platform.call('sync/link/pause', { name: 'searched' });
    await expect(list.getByRole('button', { name: /ended code=0/ }).last()).toBeVisible(SLOW);
    await front(page).getByRole('switch', { name: '实时跟踪' }).click();
  });

  await test.step('an alert leads to the logs of its link at that moment', async () => {
    await switchLanguage(page, 'en');
    await shots(page, 'log-search-en');
    await page.getByRole('button', { name: /Alerts, \d+ unread/ }).click(SLOW);
    await page
      .getByRole('link', { name: /^Log around: .*orders/ })
      .first()
      .click();
    await expect(page).toHaveURL(/log-search\?.*link=/);
    const found = front(page).getByRole('log', { name: 'Log entries' });
    await expect(found.getByRole('button', { name: /table failed/ }).first()).toBeVisible(SLOW);
  });
});
