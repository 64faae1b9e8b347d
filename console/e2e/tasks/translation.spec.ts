import { readFileSync } from 'node:fs';
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

const SLOW = { timeout: 60_000 };
const WIDE = { width: 1920, height: 1080 };
const USUAL = { width: 1280, height: 720 };
const KEY = 'common:state.suspended';

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

test('texts are changed over the shipped ones, shown, exported, reset and imported', {
  tag: '@wide',
}, async ({ page, platform }) => {
  test.setTimeout(240_000);
  await page.setViewportSize(USUAL);
  await signIn(page, platform, '/resource/translation');
  const list = front(page);
  const search = list.getByRole('searchbox', { name: /键或文本|Key or text/ });
  const row = (key: string) => list.getByRole('row').filter({ hasText: key });
  const find = async (text: string) => {
    await search.fill(text);
    await search.press('Enter');
  };

  await test.step('a text keeps its placeholders and is shown once the console is opened again', async () => {
    await expect(list.getByRole('row').nth(5)).toBeVisible(SLOW);
    await shot(page, 'translation-zh-1280');
    await expectNothingBeside(page);
    await expectAccessible(page);
    await page.setViewportSize(WIDE);
    await shot(page, 'translation-zh-1920');
    await page.setViewportSize(USUAL);
    await find('common:table.selected');
    await row('common:table.selected').getByRole('button', { name: '编辑' }).click();
    const drawer = page.getByRole('dialog', { name: '编辑文本 common:table.selected' });
    await expect(drawer).toContainText('{{count}}', SLOW);
    await drawer.getByLabel('中文').fill('已选中');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('占位符必须与出厂文本相同')).toBeVisible(SLOW);
    await shot(page, 'translation-fault-zh');
    await drawer.getByLabel('中文').fill('选中了 {{count}} 行');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden(SLOW);
    await find('系统参数');
    await find('parameter:title');
    await row('parameter:title').first().getByRole('button', { name: '编辑' }).click();
    const other = page.getByRole('dialog', { name: /parameter:title/ });
    await other.getByLabel('中文').fill('平台参数');
    await other.getByLabel('英文').fill('Platform parameters');
    await other.getByRole('button', { name: '保存' }).click();
    await expect(other).toBeHidden(SLOW);
    await expect(list.getByRole('alert')).toContainText('重新打开后显示', SLOW);
    await list.getByRole('combobox', { name: '显示范围' }).selectOption('custom');
    await find('');
    await expect(row('common:table.selected')).toContainText('仅一种语言', SLOW);
    await expect(row('parameter:title')).toContainText('自定义');
    await shot(page, 'translation-custom-zh-1280');
    await expectAccessible(page);
    await list.getByRole('button', { name: '重新打开' }).click();
    await expect(row('parameter:title')).toBeVisible(SLOW);
    await page.goto(`${platform.url}/zcbus/system/bus-sys-parameter`);
    await expect(front(page).getByRole('tab', { name: '平台参数' })).toBeVisible(SLOW);
    await switchLanguage(page, 'en');
    await expect(front(page).getByRole('tab', { name: 'Platform parameters' })).toBeVisible(SLOW);
  });

  const path = test.info().outputPath('texts.json');
  await test.step('the custom texts are saved as a file and reset', async () => {
    await page.goto(`${platform.url}/zcbus/resource/translation?show=custom`);
    await expect(row('parameter:title')).toBeVisible(SLOW);
    await expectNothingBeside(page);
    await expectAccessible(page);
    await shot(page, 'translation-en-1280');
    await list.getByRole('button', { name: 'Export file' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Custom texts only' }).click();
    await (await download).saveAs(path);
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).texts)).toEqual([
      'common:table.selected',
      'parameter:title',
    ]);
    await list.getByRole('button', { name: 'Reset all' }).click();
    const asked = page.getByRole('dialog', { name: 'Reset all texts?' });
    await expect(asked).toContainText('2 keys', SLOW);
    await shot(page, 'translation-reset-en');
    await asked.getByRole('button', { name: 'Reset all' }).click();
    await expect(list.getByText('There are no custom texts')).toBeVisible(SLOW);
    await shot(page, 'translation-empty-en');
  });

  await test.step('a file that is none is refused; of one with unknown keys the rest is imported', async () => {
    await list.getByRole('button', { name: 'Import' }).click();
    const drawer = page.getByRole('dialog', { name: 'Import texts' });
    await drawer.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(drawer.getByRole('alert')).toContainText('Choose a file first', SLOW);
    const give = (content: string) =>
      drawer.locator('input[type=file]').setInputFiles({
        name: 'texts.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
    await give('no json');
    await expect(drawer.getByRole('alert')).toContainText('holds no texts', SLOW);
    const file = JSON.parse(readFileSync(path, 'utf8'));
    await give(JSON.stringify({ ...file, texts: { ...file.texts, [KEY]: { en: '<b>Held</b>' } } }));
    await expect(drawer.getByRole('alert')).toContainText('1 text cannot be used', SLOW);
    await shot(page, 'translation-import-fault-en');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByText(/Nothing was imported/)).toBeVisible(SLOW);
    await give(JSON.stringify({ ...file, texts: { ...file.texts, 'common:gone': { en: 'Gone' } } }));
    await expect(drawer.getByText('common:gone')).toBeVisible(SLOW);
    await shot(page, 'translation-import-en');
    await drawer.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(drawer).toBeHidden(SLOW);
    await expect(row('parameter:title')).toContainText('Platform parameters', SLOW);
  });

  await test.step('one text is reset', async () => {
    await switchLanguage(page, 'zh');
    await row('parameter:title').getByRole('button', { name: '恢复出厂' }).click();
    const asked = page.getByRole('dialog', { name: '恢复 parameter:title 的出厂文本？' });
    await expect(asked).toContainText('系统参数', SLOW);
    await asked.getByRole('button', { name: '恢复出厂' }).click();
    await expect(row('parameter:title')).toHaveCount(0, SLOW);
    await page.goto(`${platform.url}/zcbus/system/bus-sys-parameter`);
    await expect(front(page).getByRole('tab', { name: '系统参数' })).toBeVisible(SLOW);
  });

  await test.step('an entry of a dictionary is the label in a list', async () => {
    await page.goto(`${platform.url}/zcbus/system/bus-sys-parameter?show=dictionaries`);
    await row('service_state').getByRole('button', { name: '编辑' }).waitFor(SLOW);
    await shot(page, 'dictionaries-zh-1280');
    await row('user_status').getByRole('button', { name: '编辑' }).click();
    const drawer = page.getByRole('dialog', { name: '编辑字典 user_status' });
    await drawer.getByLabel('中文 1').fill('在用', SLOW);
    await shot(page, 'dictionary-edit-zh');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden(SLOW);
    await page.goto(`${platform.url}/zcbus/authority-management/user-management`);
    await expect(row('admin')).toContainText('在用', SLOW);
    await switchLanguage(page, 'en');
    await expect(row('admin')).toContainText('Normal', SLOW);
    await page.goto(`${platform.url}/zcbus/resource/translation?show=one-language`);
    await expect(row('authority:status.0')).toContainText('在用', SLOW);
  });
});
