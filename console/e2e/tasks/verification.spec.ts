import { expect, expectAccessible, signIn, test } from '../support/fixtures';
import { front, rowOf } from './wizard';

const SOURCE = `
  create table accounts (id int primary key, balance int not null);
  insert into accounts select n, n from generate_series(1, 1000) n;`;

test('rows that differ without a word in the log are found, shown upward, and repaired', async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'verified_source');
  const target = await databases.create('postgresql', 'verified_target');
  await databases.execute('postgresql', source, SOURCE);
  const { kind, host, port, user, password } = server;
  const place = (database: string) => ({ kind, host, port, user, password, database });
  await platform.applyLink({
    link: 'verified',
    source: place(source),
    target: place(target),
    tables: ['public.*'],
    clean: 'drop',
  });
  const verify = (value: number) =>
    platform.call('bus-sys-parameter/update', { variableName: 'verification_percent', value });
  await verify(100);
  try {
    await signIn(page, platform, '/sync-link');
    await page.getByRole('link', { name: 'verified', exact: true }).click();
    const head = front(page).locator('.page-head');
    const running = rowOf(page, 'public.accounts').locator('[data-state=incremental-running]');
    await expect(running).toBeVisible({ timeout: 60_000 });
    await expect(head.getByText('未校验')).toHaveCount(0, { timeout: 60_000 });
    await databases.execute('postgresql', target, 'update public.accounts set balance = -1 where id <= 3');
    await databases.execute('postgresql', target, 'delete from public.accounts where id = 1000');
    const { records } = await platform.call<{ records: { id: string }[] }>('subscribe/table/page', {
      search: 'accounts',
    });
    await platform.call('subscribe/table/verify', { tables: records.map((one) => one.id) });
    const differing = rowOf(page, 'public.accounts').getByRole('button', { name: '4 行不一致' });
    await expect(differing).toBeVisible({ timeout: 60_000 });
    await expect(head.locator('[data-look=warning]').first()).toBeVisible();
    await expectAccessible(page);
    await differing.click();
    const drawer = page.getByRole('dialog', { name: 'public.accounts 中不一致的行' });
    await expect(drawer.getByRole('row').filter({ hasText: '目标缺少' })).toContainText('1000', {
      timeout: 30_000,
    });
    await expect(drawer.getByRole('row').filter({ hasText: '内容不同' })).toHaveCount(3);
    await expectAccessible(page);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/verified-drawer.png` });
    await drawer.getByRole('button', { name: '修复' }).click();
    await expect(page.getByText('目标缺少 1 行，多出 0 行，内容不同 3 行。')).toBeVisible();
    await page.getByRole('dialog').last().getByRole('button', { name: '修复', exact: true }).click();
    const whole = () =>
      databases.rows('postgresql', target, 'select count(*)::int, sum(balance)::int from public.accounts');
    await expect.poll(whole, { timeout: 60_000 }).toEqual([[1000, 500_500]]);
    await expect(head.locator('[data-look=warning]')).toHaveCount(0, { timeout: 60_000 });
  } finally {
    await verify(0);
  }
});
