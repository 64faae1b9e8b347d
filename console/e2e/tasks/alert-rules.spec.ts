import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
} from '../support/fixtures';
import { front, rowOf } from './wizard';

const SLOW = { timeout: 90_000 };
const PATH = '/system/alert-rule';

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).click();
  await page.locator('.ant-select-dropdown:visible').getByTitle(option, { exact: true }).click();
}

test('a rule is tried on the history, saved, fires, is muted and deleted', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  test.setTimeout(240_000);
  const drawer = page.getByRole('dialog', { name: '新增规则' });

  await test.step('an empty list says what rules are for', async () => {
    await signIn(page, platform, PATH);
    await expect(front(page).getByText('还没有自定义规则')).toBeVisible();
    await shot(page, 'rules-empty-zh');
  });

  await test.step('a rule is tried before it is saved', async () => {
    // The host's processor has been measured since the platform started.
    await expect
      .poll(async () => {
        const body = { kind: 'host', metric: 'cpu_percent', comparison: 'ge', threshold: 0, seconds: 0 };
        return (await platform.call<{ total: number }>('system/alert-rule/try', body)).total;
      }, SLOW)
      .toBe(1);
    await front(page).getByRole('button', { name: '新增规则' }).first().click();
    await drawer.getByRole('button', { name: /^保\s*存$/ }).click();
    await expect(drawer.getByText('请输入名称')).toBeVisible();
    await drawer.getByLabel('名称', { exact: true }).first().fill('处理器');
    await choose(page, '对象类型', '主机');
    await expect(drawer.getByTitle('CPU：所有处理器')).toBeVisible();
    await choose(page, '条件', '不小于');
    await drawer.getByLabel('界限').fill('0');
    await drawer.getByLabel('持续').fill('0');
    await drawer.getByRole('button', { name: '何时会告警' }).click();
    await expect(drawer.getByText('会产生 1 次告警（1 个对象）')).toBeVisible(SLOW);
    await expect(drawer.getByText(/没有数据的时间无法判断/)).toBeVisible();
    await drawer.getByRole('table', { name: '会产生的告警' }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await shot(page, 'rules-tried-zh');
    await drawer.getByRole('button', { name: /^保\s*存$/ }).click();
    await expect(drawer).toBeHidden();
  });

  await test.step('it fires: the list, its objects and the bell say so', async () => {
    await expect(rowOf(page, '处理器')).toContainText('1 个告警', SLOW);
    await rowOf(page, '处理器').getByRole('button', { name: '查看对象' }).click();
    const objects = page.getByRole('dialog', { name: '规则 处理器 的对象' });
    await expect(objects.getByRole('row').nth(1)).toContainText('告警');
    await shot(page, 'rules-objects-zh');
    await page.keyboard.press('Escape');
    await expect
      .poll(async () => {
        const found = await platform.call<{ records: { kind: string }[] }>('sys/alarmmsg/page', {
          open: true,
        });
        return found.records.filter(({ kind }) => kind === 'rule').length;
      }, SLOW)
      .toBe(1);
  });

  await test.step('it is muted and no longer', async () => {
    const more = rowOf(page, '处理器').getByRole('button', { name: /更多/ });
    await more.click();
    await page.getByRole('menuitem', { name: '静默', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '静默规则 处理器' });
    await shot(page, 'rules-mute-zh');
    await dialog.getByRole('button', { name: /^静\s*默$/ }).click();
    await expect(dialog).toBeHidden();
    await more.click();
    await page.getByRole('menuitem', { name: '结束静默' }).click();
    await expect(page.getByText('规则 处理器 的静默已结束')).toBeVisible();
  });

  await test.step('in English, at both widths', async () => {
    await switchLanguage(page, 'en');
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(rowOf(page, '处理器')).toContainText('CPU: All processors at least 0 % for 0 s');
      await expectNothingBeside(page);
      await shot(page, `rules-list-en-${width}`);
    }
    await expectAccessible(page);
    await rowOf(page, '处理器').getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByRole('dialog', { name: 'Edit rule 处理器' })).toBeVisible();
    await shot(page, 'rules-edit-en');
    await page.keyboard.press('Escape');
  });

  await test.step('its alert ends with it', async () => {
    await rowOf(page, '处理器').getByRole('button', { name: /More/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete rule 处理器?' });
    await expect(asked.getByText('Its 1 open alerts end')).toBeVisible();
    await asked.getByRole('button', { name: 'Delete' }).click();
    await expect(front(page).getByText('No rules of your own yet')).toBeVisible();
  });
});
