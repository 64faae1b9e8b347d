import { expect, expectAccessible, signIn, test, useLanguage } from './support/fixtures';

test('a table that fails rings the bell; read, it stands in the history', async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(300_000);
  const server = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'alert_source');
  await databases.execute(
    'postgresql',
    source,
    "create table cities (id int primary key, name text); insert into cities values (1, 'one')",
  );
  const target = await databases.create('postgresql', 'alert_target');
  const { kind, host, port, user, password } = server;
  const connection = (database: string) => ({ kind, host, port, user, password, database });
  await platform.applyLink({
    link: 'alert cities',
    source: connection(source),
    target: connection(target),
    tables: ['public.*'],
    clean: 'drop',
  });
  await useLanguage(page, 'en');
  await signIn(page, platform);
  await databases.execute('postgresql', target, 'alter table cities rename to elsewhere');
  await databases.execute('postgresql', source, "update cities set name = 'changed' where id = 1");

  await page.getByRole('button', { name: /^Alerts, [1-9]\d* unread$/ }).click({ timeout: 120_000 });
  const drawer = page.getByRole('dialog', { name: 'Alerts' });
  const entry = drawer.getByRole('listitem').filter({ hasText: 'public.cities' });
  await expect(entry.getByText('Important')).toBeVisible();
  await expect(entry.getByRole('link', { name: 'Go there' })).toHaveAttribute('href', /\/sync-task-config\//);
  await expectAccessible(page);
  await entry.getByRole('button', { name: /^Mark as read/ }).click();
  await expect(entry).toHaveCount(0);
  await drawer.getByRole('tab', { name: 'History' }).click();
  await expect(entry).toBeVisible();
  await entry.getByRole('link', { name: 'Go there' }).click();
  await expect(page).toHaveURL(/\/sync-task-config\//);
  await expect(drawer).toHaveCount(0);
});
