import { readFile } from 'node:fs/promises';
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

const wide = { width: 1920, height: 1080 };
const narrow = { width: 1280, height: 720 };

async function shots(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${size.width}.png` });
  }
  await page.setViewportSize(narrow);
}

/** What is searched in is read whole; a field's inner width and its text's are the browser's to say. */
async function expectWholeHint(page: Page): Promise<void> {
  const hidden = await front(page)
    .getByRole('searchbox')
    .evaluateAll((fields) =>
      fields.map((field) => {
        const { placeholder, clientWidth } = field as HTMLInputElement;
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
        pen.font = font;
        const room = clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return Math.max(0, Math.floor(pen.measureText(placeholder).width - room));
      }),
    );
  expect(hidden, 'pixels of hints that are cut').toEqual(hidden.map(() => 0));
}

test('operations are found by what they are called, and say what they changed', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  const { id: department } = await platform.call<{ id: string }>('account/dept/add', {
    name: 'Audit one',
    parentId: null,
  });
  await platform.call('account/dept/edit', { id: department, name: 'Audit two', parentId: null });
  await page.setViewportSize(narrow);
  await signIn(page, platform, '/monitor/operation-log');
  const table = front(page).getByRole('table', { name: '操作日志' });
  await expect(table.getByText('修改部门')).toBeVisible();
  await expectNothingBeside(page);
  await expectWholeHint(page);
  await shots(page, 'operations-zh');
  await front(page).getByRole('combobox', { name: '对象类型' }).selectOption('user');
  await front(page).getByRole('combobox', { name: '操作', exact: true }).selectOption('department_edit');
  await expect(table.getByText('新增部门')).toHaveCount(0);
  await expectAccessible(page);
  await table.getByRole('button', { name: '详情' }).first().click();
  const drawer = page.getByRole('dialog', { name: '修改部门' });
  const name = drawer.getByRole('row', { name: /name/ }).first();
  await expect(name).toContainText('Audit one');
  await expect(name).toContainText('Audit two');
  await expectAccessible(page);
  await shots(page, 'operation-zh');
  await page.keyboard.press('Escape');
  await switchLanguage(page, 'en');
  await expect(
    front(page).getByRole('table', { name: 'Operation log' }).getByText('Edit department'),
  ).toBeVisible();
  await expectNothingBeside(page);
  await expectWholeHint(page);
  await shots(page, 'operations-en');
  await page.goto(`${platform.url}/zcbus/system/login-log`);
  const signIns = front(page).getByRole('table', { name: 'Login log' });
  await expect(signIns.getByText('Sign in with password').first()).toBeVisible();
  await expectNothingBeside(page);
  await expectAccessible(page);
  await shots(page, 'sign-ins-en');
  await switchLanguage(page, 'zh');
  await expect(
    front(page).getByRole('table', { name: '登录日志' }).getByText('密码登录').first(),
  ).toBeVisible();
  await shots(page, 'sign-ins-zh');
});

test('a file of the operation log holds what its filters leave, and none of its texts is a formula', {
  tag: '@wide',
}, async ({ page, platform }) => {
  const names = ['=HYPERLINK("https://example.com","报表")', '+7,报表', 'Other department'];
  for (const name of names) await platform.call('account/dept/add', { name, parentId: null });
  await signIn(page, platform, '/monitor/operation-log');
  const table = front(page).getByRole('table', { name: '操作日志' });
  await front(page).getByRole('combobox', { name: '对象类型' }).selectOption('user');
  await front(page).getByRole('combobox', { name: '操作', exact: true }).selectOption('department_add');
  await expect(table.getByText('Other department')).toBeVisible();
  await front(page)
    .getByRole('searchbox', { name: /操作、对象/ })
    .fill('报表');
  await page.keyboard.press('Enter');
  await expect(table.getByText('Other department')).toHaveCount(0);
  await front(page).getByRole('button', { name: '导出' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: '导出为 CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^操作日志 .*\.csv$/);
  const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  // The mark by which spreadsheet programs know that it is UTF-8 is white space to `trim`.
  expect(head).toBe('时间,用户,操作,对象,结果,来源地址');
  expect(lines.map((line) => line.replace(/^[^,]*,/, ''))).toEqual([
    `local,新增部门,"'+7,报表",成功,127.0.0.1`,
    `local,新增部门,"'=HYPERLINK(""https://example.com"",""报表"")",成功,127.0.0.1`,
  ]);
});
