import type { Databases } from './support/databases';
import { expect, expectAccessible, signIn, test, useLanguage } from './support/fixtures';

const SHOTS = process.env.SHOTS;

const TABLES = `
  create table cities (id int primary key, name text not null);
  insert into cities select n, 'city ' || n from generate_series(1, 1000) n;`;

async function twoDatabases(databases: Databases) {
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'home_source');
  await databases.execute('postgresql', source, TABLES);
  const target = await databases.create('postgresql', 'home_target');
  const { kind, host, port, user, password } = server;
  const connection = (database: string) => ({ kind, host, port, user, password, database });
  return { source: connection(source), target: connection(target) };
}

test('before the first link, home leads to the wizard', async ({ page, platform }) => {
  await signIn(page, platform);
  await expect(page.getByText('还没有同步链路')).toBeVisible();
  await expect(page.getByRole('table', { name: '代理' }).getByText('已连接')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: '新建同步链路' }).click();
  await expect(page).toHaveURL(/\/sync-link\/new/);
});

test('home shows what runs, in both languages, and follows it without a reload', async ({
  page,
  platform,
  databases,
}) => {
  const places = await twoDatabases(databases);
  await platform.applyLink({ link: 'home cities', ...places, tables: ['public.*'], clean: 'drop' });
  await useLanguage(page, 'en');
  await signIn(page, platform);
  const row = page.getByRole('table', { name: 'Sync links' }).getByRole('row', { name: /home cities/ });
  await expect(row.getByText('Incremental running')).toBeVisible();
  await expect(row.getByText('1 / 1')).toBeVisible();
  await expect(page.getByText('Nothing needs attention.')).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Services' }).getByText(/^(Started|Status normal)$/),
  ).toHaveCount(2);
  const days = page.getByRole('list', { name: 'Volume per day' });
  await expect(days.getByRole('listitem')).toHaveCount(14);
  await expect(page.getByRole('region', { name: 'Capacity' }).getByText(/^Disk of /)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Next plans' })).toContainText('No task plan is due.');
  // Samples are taken each ten seconds, and the page looks for them each thirty.
  await expect(days.getByRole('img', { name: /: 0 changes applied, 1,000 rows loaded$/ })).toBeVisible({
    timeout: 60_000,
  });
  await expectAccessible(page);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/home-en.png`, fullPage: true });

  await page.getByRole('button', { name: 'Switch language' }).click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  const inChinese = page.getByRole('table', { name: '同步链路' }).getByRole('row', { name: /home cities/ });
  await expect(inChinese.getByText('增量运行中')).toBeVisible();
  await databases.execute('postgresql', places.target.database, 'alter table cities rename to elsewhere');
  await databases.execute(
    'postgresql',
    places.source.database,
    "update cities set name = 'changed' where id = 1",
  );
  await expect(
    page
      .getByRole('table', { name: '近期问题' })
      .getByText(/cities|home cities/)
      .first(),
  ).toBeVisible({
    timeout: 30_000,
  });
  await expectAccessible(page);
});

test('a lost connection is said at once and mended by itself', async ({ page, platform, browserErrors }) => {
  await signIn(page, platform);
  await expect(page.getByText(/^数据时间/)).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/连接已断开，显示的是 .* 的数据/)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/^数据时间/)).toBeVisible();
  await expect(page.getByText(/连接已断开/)).toBeHidden();
  // The browser itself writes each call that failed while offline to its console.
  const own = browserErrors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'));
  browserErrors.splice(0, browserErrors.length, ...own);
});

test('open row errors show in the link and at home, with the way to them', async ({
  page,
  platform,
  databases,
}) => {
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'refusing_source');
  await databases.execute('postgresql', source, TABLES);
  const target = await databases.create('postgresql', 'refusing_target');
  const { kind, host, port, user, password } = server;
  const places = {
    source: { kind, host, port, user, password, database: source },
    target: { kind, host, port, user, password, database: target },
  };
  await platform.applyLink({ link: 'refusing', ...places, tables: ['public.*'], clean: 'drop' });
  await useLanguage(page, 'en');
  await signIn(page, platform);
  const row = page.getByRole('table', { name: 'Sync links' }).getByRole('row', { name: /refusing/ });
  await expect(row.getByText('Incremental running')).toBeVisible();
  await databases.execute('postgresql', target, "alter table cities add check (name <> 'bad')");
  await databases.execute('postgresql', source, "update cities set name = 'bad' where id < 5");
  await expect(row.getByRole('link', { name: '4 row errors' })).toBeVisible({ timeout: 30_000 });
  await expect(row.locator('[data-state="incremental-running"]')).toHaveAttribute('data-look', 'warning');
  const problem = page
    .getByRole('table', { name: 'Recent problems' })
    .getByRole('row', { name: /cities refusing/ });
  await expect(problem).toContainText('The target refused 4 rows, and they are still open');
  await expectAccessible(page);
  await row.getByRole('link', { name: '4 row errors' }).click();
  const alert = page.getByRole('status').filter({ visible: true });
  await expect(alert.getByText('The target refused 4 rows, and they are still open')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Row errors', selected: true })).toBeVisible();
  await page.getByRole('button', { name: 'Switch language' }).click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  await expect(alert.getByText('4 行被目标端拒绝，尚未处理')).toBeVisible();
});
