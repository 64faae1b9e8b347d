import { expect, expectAccessible, signIn, test, useLanguage } from './support/fixtures';

const words = {
  zh: {
    more: '更多',
    delete: '删除',
    code: '验证码',
    wrong: '验证码错误',
    empty: '请输入验证码',
    deleted: '已删除',
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

for (const language of ['zh', 'en'] as const) {
  const word = words[language];

  test(`a link is deleted after its picture was read rightly, ${language}`, async ({
    page,
    platform,
    databases,
  }) => {
    test.setTimeout(240_000);
    const server = await databases.start('postgresql');
    const source = await databases.create('postgresql', `doomed_source_${language}`);
    const target = await databases.create('postgresql', `doomed_target_${language}`);
    await databases.execute(
      'postgresql',
      source,
      'create table a (id int primary key); insert into a values (1);',
    );
    const side = {
      kind: 'postgresql',
      host: server.host,
      port: server.port,
      user: server.user,
      password: server.password,
    };
    const link = `doomed-${language}`;
    await platform.applyLink({
      link,
      source: { ...side, database: source },
      target: { ...side, database: target },
      tables: ['public.*'],
    });
    await platform.askBeforeDeleting(true);
    await useLanguage(page, language);
    await signIn(page, platform, '/sync-link');

    const row = page.getByRole('row').filter({ hasText: link });
    const pictured = page.waitForResponse(/captcha\/code$/);
    await row
      .getByRole('button', { name: new RegExp(`${word.more}.*${link}|${link}.*${word.more}`) })
      .click();
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
    await code.fill(await platform.captchaAnswer('digits', second.uuid));
    await confirm.click();
    await expect(page.getByRole('status').filter({ hasText: word.deleted })).toBeVisible();
    await expect(row).toHaveCount(0);
    await platform.askBeforeDeleting(false);
  });
}
