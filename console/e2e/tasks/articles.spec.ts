import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front } from './wizard';

const FIRST = { zh: '# 夜班手册\n\n请致电 **1001**。', en: '# Night shift\n\nCall **1001**.' };
const SECOND = { zh: '# 夜班手册\n\n请致电 **2002**。', en: '# Night shift\n\nCall **2002**.' };

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

const row = (page: Page) => front(page).getByRole('row').filter({ hasText: 'own/' });

/** Writes both languages of the article whose drawer is open, and saves the draft. */
async function write(page: Page, title: string, { zh, en }: typeof FIRST): Promise<void> {
  const drawer = page.getByRole('dialog', { name: title });
  const text = () => drawer.getByRole('tabpanel').getByLabel('内容');
  await text().fill(zh);
  await expect(drawer.getByRole('region', { name: '预览' })).toContainText(
    zh.replace(/^# |\*/g, '').slice(0, 4),
  );
  await shot(page, 'article-drawer');
  await expectAccessible(page);
  await drawer.getByRole('tab', { name: '英文' }).click();
  await text().fill(en);
  await drawer.getByRole('button', { name: '保存草稿' }).click();
  await expect(drawer).toBeHidden();
}

/** What readers are shown, in both languages. */
async function expectRead(page: Page, url: string, number: string): Promise<void> {
  for (const [language, open] of [
    ['en', 'Own articles'],
    ['zh', '自有文章'],
  ] as const) {
    await page.goto(`${url}/zcbus/resource/article`);
    await switchLanguage(page, language);
    await front(page).getByRole('region', { name: open }).getByRole('link').click();
    await expect(front(page).locator('.article').getByText(number)).toBeVisible();
  }
}

/** The list of the authors, of the tenant's own articles alone: shipped pages are many. */
async function manage(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/zcbus/resource/article?show=manage`);
  await front(page).getByRole('combobox', { name: '来源' }).selectOption('own');
}

test('an article is written in both languages, published, compared and restored', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await signIn(page, platform);
  await manage(page, platform.url);
  await test.step('a text without a heading is refused; a draft is not read', async () => {
    await front(page).getByRole('button', { name: '新建文章' }).click();
    const drawer = page.getByRole('dialog', { name: '新建文章' });
    await drawer.getByRole('tabpanel').getByLabel('内容').fill('夜班');
    await drawer.getByRole('button', { name: '保存草稿' }).click();
    await expect(drawer.getByText('请以一级标题开头')).toBeVisible();
    await write(page, '新建文章', FIRST);
    await expect(row(page)).toContainText('草稿，读者不可见');
    await page.goto(`${platform.url}/zcbus/resource/article`);
    await expect(front(page).getByRole('navigation', { name: '帮助文章' })).toBeVisible();
    await expect(front(page).getByRole('link', { name: '夜班手册' })).toHaveCount(0);
  });

  await test.step('readers see what was published, in their language', async () => {
    await manage(page, platform.url);
    await row(page).getByRole('button', { name: '发布' }).click();
    await expect(row(page)).toContainText('版本 1');
    await expectRead(page, platform.url, '1001');
    await shot(page, 'article-read');
  });

  await test.step('a changed draft is compared with the version, line by line', async () => {
    await manage(page, platform.url);
    await row(page).getByRole('button', { name: '编辑' }).click();
    await write(page, '编辑 own/', SECOND);
    await expect(row(page)).toContainText('版本 1，草稿有修改');
    await row(page).getByRole('button', { name: '版本' }).click();
    const versions = page.getByRole('dialog', { name: /的版本$/ });
    await versions.getByRole('button', { name: '与草稿比较' }).click();
    const chinese = versions.getByRole('region', { name: '中文' });
    await expect(chinese.locator('[data-kind=removed]')).toContainText('1001');
    await expect(chinese.locator('[data-kind=added]')).toContainText('2002');
    await expect(versions.getByRole('region', { name: '英文' }).locator('[data-kind=added]')).toContainText(
      'Call **2002**.',
    );
    await expectAccessible(page);
    await shot(page, 'article-versions');
    await page.keyboard.press('Escape');
    await expectRead(page, platform.url, '1001');
  });

  await test.step('the second version is replaced by the first one again', async () => {
    await manage(page, platform.url);
    await row(page).getByRole('button', { name: '发布' }).click();
    await expect(row(page)).toContainText('版本 2');
    await expectRead(page, platform.url, '2002');
    await manage(page, platform.url);
    await row(page).getByRole('button', { name: '版本' }).click();
    const versions = page.getByRole('dialog', { name: /的版本$/ });
    await versions
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: '1', exact: true }) })
      .getByRole('button', { name: '设为草稿' })
      .click();
    await expect(versions).toBeHidden();
    await expect(row(page)).toContainText('版本 2，草稿有修改');
    await shot(page, 'articles');
    await row(page).getByRole('button', { name: '发布' }).click();
    await expect(row(page)).toContainText('版本 3');
    await expectRead(page, platform.url, '1001');
  });
});
