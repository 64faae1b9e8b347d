import type { Page } from '@playwright/test';
import type { Databases } from './support/databases';
import { expect, expectAccessible, signIn, test } from './support/fixtures';
import type { Platform } from './support/platform';

const words = {
  zh: {
    more: '更多',
    delete: '删除',
    code: '验证码',
    wrong: '验证码错误',
    empty: '请输入验证码',
  },
  en: {
    more: 'More',
    delete: 'Delete',
    code: 'Verification code',
    wrong: 'The verification code is wrong',
    empty: 'Enter the verification code',
    deleted: 'was deleted',
  },
} as const;

type Words = { [name in keyof (typeof words)['zh']]: string };

const LINK = 'doomed';

async function makeLink(platform: Platform, databases: Databases): Promise<void> {
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'doomed_source');
  const target = await databases.create('postgresql', 'doomed_target');
  const rows = 'create table a (id int primary key); insert into a values (1);';
  await databases.execute('postgresql', source, rows);
  const place = (database: string) => ({ kind, host, port, user, password, database });
  await platform.applyLink({
    link: LINK,
    source: place(source),
    target: place(target),
    tables: ['public.*'],
  });
}

/** Begins to delete the link and reads the picture wrongly; answers how to read the next one rightly. */
async function readWrongly(page: Page, platform: Platform, word: Words): Promise<() => Promise<void>> {
  const row = page.getByRole('row').filter({ hasText: LINK });
  const pictured = page.waitForResponse(/captcha\/code$/);
  await row.getByRole('button', { name: new RegExp(`${word.more}.*${LINK}|${LINK}.*${word.more}`) }).click();
  await page.getByRole('menuitem', { name: word.delete }).click();
  const dialog = page.getByRole('dialog');
  const code = dialog.getByLabel(word.code, { exact: true });
  const confirm = dialog.getByRole('button', { name: word.delete });
  await expect(dialog.locator('.delete-picture img')).toBeVisible();
  await expectAccessible(page);
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();

  await code.fill('abc');
  await expect(code).toHaveValue('');
  await confirm.click();
  await expect(page.getByRole('alert').filter({ hasText: word.empty })).toBeVisible();

  const { data: first } = await (await pictured).json();
  const right = await platform.captchaAnswer('digits', first.uuid);
  const again = page.waitForResponse(/captcha\/code$/);
  await code.fill(String((Number(right) + 1) % 10_000).padStart(4, '0'));
  await confirm.click();
  await expect(page.getByRole('alert').filter({ hasText: word.wrong })).toBeVisible();
  const { data: second } = await (await again).json();
  await expect(code).toHaveValue('');
  return async () => {
    await code.fill(await platform.captchaAnswer('digits', second.uuid));
    await confirm.click();
  };
}

test('a link is deleted after its picture was read rightly, in either language', async ({
  page,
  platform,
  databases,
}) => {
  test.setTimeout(240_000);
  await makeLink(platform, databases);
  await platform.askBeforeDeleting(true);
  await signIn(page, platform, '/sync-link');
  await readWrongly(page, platform, words.zh);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.evaluate(() => localStorage.setItem('locale', JSON.stringify('en')));
  await page.reload();
  const readRightly = await readWrongly(page, platform, words.en);
  await readRightly();
  await expect(page.getByRole('status').filter({ hasText: words.en.deleted })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: LINK })).toHaveCount(0);
  await platform.askBeforeDeleting(false);
});
