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

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-dropdown:visible').getByTitle(option, { exact: true }).click();
}

test('plans stop, start and compare a link, and say when rows differ', async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'planned_source');
  const target = await databases.create('postgresql', 'planned_target');
  await databases.execute(
    'postgresql',
    source,
    `create table accounts (id int primary key, balance int not null);
     insert into accounts select n, n from generate_series(1, 100) n;`,
  );
  const { kind, host, port, user, password } = server;
  const place = (database: string) => ({ kind, host, port, user, password, database });
  await platform.applyLink({
    link: 'planned',
    source: place(source),
    target: place(target),
    tables: ['public.*'],
    clean: 'drop',
  });
  const { records } = await platform.call<{ records: { id: string }[] }>('sync/link/page', {});
  const link = records[0]?.id;
  const schedule = { trigger: 'cron', cron: '0 2 * * *', timeZone: 'Europe/Berlin' };
  for (const type of ['stop', 'start'])
    await platform.call('task/plan/add', { name: `${type} it`, job: { type, link }, ...schedule });
  await signIn(page, platform, '/task');
  // By the name's own cell: a plan that follows another has that one's name in its row as well.
  const row = (name: string) =>
    front(page)
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name, exact: true }) });
  const run = async (name: string) => {
    await row(name).getByRole('button', { name: '立即执行' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '立即执行' }).click();
  };

  await test.step('a comparison is planned, with its next times in its own zone', async () => {
    await front(page).getByRole('button', { name: '新建计划' }).click();
    const drawer = page.getByRole('dialog', { name: '新建计划' });
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('请选择任务')).toBeVisible();
    await drawer.getByLabel('名称').fill('compare it');
    await choose(page, '任务', '比对');
    await choose(page, '同步链路', 'planned');
    await drawer.getByRole('combobox', { name: '时区' }).fill('Europe/Berlin');
    await page.locator('.ant-select-dropdown:visible').getByTitle('Europe/Berlin').click();
    await drawer.getByRole('textbox', { name: '时', exact: true }).fill('3');
    await expect(drawer.getByText('接下来的执行时间（时区 Europe/Berlin）：')).toBeVisible();
    const next = drawer.getByRole('listitem');
    await expect(next).toHaveCount(5);
    await expect(next.first()).toHaveText(/^\d{4}-\d\d-\d\d 03:00 GMT\+[12]$/);
    await shot(page, 'plan-drawer-zh');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    await expect(row('compare it')).toContainText('比对 · planned');
  });

  await test.step('the link is stopped and started by the plans', async () => {
    await run('stop it');
    await expect(row('stop it').getByText('成功')).toBeVisible(SLOW);
    expect(
      (await platform.call<{ records: { state: string }[] }>('sync/link/page', {})).records[0]?.state,
    ).toBe('stopped');
    await run('start it');
    await expect(row('start it').getByText('成功')).toBeVisible(SLOW);
    const { records: links } = await platform.call<{ records: { state: string }[] }>('sync/link/page', {});
    expect(links[0]?.state).toBe('incremental-running');
  });

  await test.step('rows that differ make the comparison fail, which its details and an alert say', async () => {
    await run('compare it');
    await expect(row('compare it').getByText('成功')).toBeVisible(SLOW);
    await databases.execute('postgresql', target, 'update public.accounts set balance = -1 where id <= 3');
    await run('compare it');
    await expect(row('compare it').getByText('失败')).toBeVisible(SLOW);
    await expectNothingBeside(page);
    await shot(page, 'plans-zh');
    await row('compare it').getByRole('button', { name: '执行记录' }).click();
    const history = page.getByRole('dialog', { name: 'compare it 的执行记录' });
    await expect(history.getByRole('row').filter({ hasText: '成功' })).toHaveCount(1);
    await history.getByRole('row').filter({ hasText: '失败' }).getByRole('button', { name: '详情' }).click();
    const details = page.getByRole('dialog', { name: 'compare it 的一次执行' });
    await expect(details.getByRole('row', { name: /^public\.accounts/ })).toContainText('有 3 行不一致');
    await expect(details.getByText(/以 admin 的权限执行/)).toBeVisible();
    await shot(page, 'run-zh');
    await expectAccessible(page);
    await expect
      .poll(async () => {
        const alerts = await platform.call<{ records: { kind: string }[] }>('sys/alarmmsg/page', {});
        return alerts.records.map((one) => one.kind);
      }, SLOW)
      .toContain('plan-failed');
  });

  await test.step('a plan is paused, edited so that it repairs, and deleted; the same in English', async () => {
    await page.goto(`${platform.url}/zcbus/task`);
    await switchLanguage(page, 'en');
    const more = row('compare it').getByRole('button', { name: 'More' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit plan compare it' });
    await drawer.getByRole('switch', { name: 'Repair differences' }).click();
    await shot(page, 'plan-drawer-en');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(row('compare it')).toContainText('Compare and repair');
    await row('compare it').getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await expect(row('compare it').getByText('Succeeded')).toBeVisible(SLOW);
    const wrong = 'select count(*)::int from public.accounts where balance < 0';
    expect(await databases.rows('postgresql', target, wrong)).toEqual([[0]]);
    await more.click();
    await page.getByRole('menuitem', { name: 'Backfill' }).click();
    const backfill = page.getByRole('dialog', { name: 'Backfill compare it' });
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    await backfill.getByLabel('From').fill(`${day}T00:00`);
    await backfill.getByLabel('To').fill(`${day}T12:00`);
    await expect(backfill.getByText('1 due time was not run:')).toBeVisible();
    await expect(backfill.getByRole('listitem')).toHaveText(new RegExp(`^${day} 03:00 GMT`));
    await shot(page, 'plan-backfill-en');
    await expectAccessible(page);
    await backfill.getByRole('button', { name: 'Run them' }).click();
    await expect(backfill).toBeHidden();
    await row('start it').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const behind = page.getByRole('dialog', { name: 'Edit plan start it' });
    await behind.getByRole('radio', { name: 'After another plan' }).check();
    await choose(page, 'Plan to follow', 'stop it');
    await shot(page, 'plan-after-en');
    await behind.getByRole('button', { name: 'Save' }).click();
    await expect(row('start it')).toContainText('After stop it succeeds');
    await row('stop it').getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await expect
      .poll(async () => {
        type Runs = { records: { origin: string; planName: string; state: string }[] };
        const runs = await platform.call<Runs>('task/run/page', {});
        return runs.records
          .filter(({ origin }) => origin === 'after')
          .map((one) => `${one.planName} ${one.state}`);
      }, SLOW)
      .toEqual(['start it succeeded']);
    await row('start it').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await expect(row('start it').getByText('Paused')).toBeVisible();
    await shot(page, 'plans-en');
    await row('start it').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(row('start it')).toHaveCount(0);
    await page.getByRole('tab', { name: 'History' }).click();
    const compared = front(page).getByRole('row').filter({ hasText: 'compare it' });
    await expect(compared).toHaveCount(4);
    await expect(compared.filter({ hasText: 'backfill' })).toContainText('Succeeded', SLOW);
    await shot(page, 'history-en');
    await expectAccessible(page);
  });
});
