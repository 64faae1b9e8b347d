import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
  useLanguage,
} from './support/fixtures';
import { front } from './tasks/wizard';

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

test('a table that fails rings the bell; its alert is read, acknowledged, assigned and muted', async ({
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

  await drawer.getByRole('tab', { name: 'Open' }).click();
  await entry.getByRole('button', { name: /^Acknowledge/ }).click();
  await expect(entry.getByText('Acknowledged by admin')).toBeVisible();
  await entry.getByRole('button', { name: /^Assign/ }).click();
  const assigning = page.getByRole('dialog', { name: 'Assign alert' });
  await assigning.getByRole('combobox').fill('adm');
  await page
    .locator('.ant-select-dropdown:visible')
    .getByTitle(/^admin/)
    .click();
  await expectAccessible(page);
  await shot(page, 'alert-assign-en');
  await assigning.getByRole('button', { name: 'Assign' }).click();
  await expect(entry.getByText('Assigned to admin')).toBeVisible();
  await entry.getByRole('button', { name: /^Mute/ }).click();
  const muting = page.getByRole('dialog', { name: 'Mute alerts' });
  await muting.getByRole('radio', { name: 'Everything about alert cities' }).check();
  await expectAccessible(page);
  await shot(page, 'alert-mute-en');
  await muting.getByRole('button', { name: 'Mute' }).click();
  await expect(entry.getByText('Muted until')).toBeVisible();
  await shot(page, 'alert-open-en');

  await entry.getByRole('link', { name: 'Go there' }).click();
  await expect(page).toHaveURL(/\/sync-task-config\//);
  await expect(drawer).toHaveCount(0);

  await page.goto(`${platform.url}/zcbus/system/message-management?show=mutes`);
  const mute = front(page).getByRole('row').filter({ hasText: 'alert cities' });
  await expect(mute).toContainText('Any kind');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectNothingBeside(page);
  await expectAccessible(page);
  await shot(page, 'mutes-en-1280');
  await switchLanguage(page, 'zh');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await shot(page, 'mutes-zh-1920');
  await page.getByRole('button', { name: /^告警/ }).click();
  await page.getByRole('tab', { name: '未恢复' }).click();
  await expect(page.getByText('静默至')).toBeVisible();
  await shot(page, 'alert-open-zh-1920');
  await page.keyboard.press('Escape');
  await mute.getByRole('button', { name: '结束' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '结束' }).click();
  await expect(front(page).getByText('没有静默')).toBeVisible();
});
