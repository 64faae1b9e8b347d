import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, test } from '../support/fixtures';
import type { Platform } from '../support/platform';

const PAGE = '/authority-management/service-accounts';

async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const size of [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
  ]) {
    await page.setViewportSize(size);
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${size.width}.png` });
  }
}

/** Status of a call that a program makes with its token. */
async function asked(page: Page, platform: Platform, path: string, token: string | null): Promise<number> {
  const answer = await page.request.post(`${platform.url}/api/zcbus/${path}`, {
    headers: { 'ZCBUS-TOKEN': token ?? '' },
    data: { id: 'x' },
  });
  return answer.status();
}

test('a service account gets a token that reads only, is rotated and revoked', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  test.setTimeout(300_000);
  await signIn(page, platform, PAGE);
  await expect(page.getByText('还没有服务账号')).toBeVisible();
  await page.getByRole('button', { name: '新增服务账号' }).first().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('不能为空')).toBeVisible();
  await drawer.getByLabel('名称', { exact: true }).fill('monitor');
  await drawer.getByLabel('指定操作').check();
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('请至少选择一项操作')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'service-account-drawer');
  await drawer.getByLabel('只读').check();
  await drawer.getByRole('button', { name: '保存' }).click();
  const shown = page.getByRole('dialog', { name: 'monitor 的令牌' });
  const first = await shown.locator('[data-secret]').textContent();
  await expectAccessible(page);
  await shoot(page, 'service-account-token');
  await shown.getByRole('button', { name: '我已保存' }).click();
  const row = page.getByRole('table', { name: '服务账号' }).getByRole('row', { name: /monitor/ });
  await expect(row.getByText('尚未使用')).toBeVisible();

  expect(await asked(page, platform, 'sync/link/page', first)).toBe(200);
  expect(await asked(page, platform, 'sync/link/delete', first)).toBe(403);
  await page.reload();
  await expect(row.getByText('尚未使用')).toBeHidden();
  await expect(row.getByText('有效', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'service-accounts');

  await row.getByRole('button', { name: '轮换' }).click();
  await drawer.getByLabel('当前令牌保留小时数').fill('0');
  await shoot(page, 'service-account-rotation');
  await drawer.getByRole('button', { name: '轮换' }).click();
  const second = await shown.locator('[data-secret]').textContent();
  await shown.getByRole('button', { name: '我已保存' }).click();
  expect(await asked(page, platform, 'sync/link/page', first)).toBe(401);
  expect(await asked(page, platform, 'sync/link/page', second)).toBe(200);

  await row.getByRole('button', { name: '吊销' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定|删\s*除|吊\s*销/ })
    .click();
  await expect(page.getByText('服务账号 monitor 已吊销')).toBeVisible();
  expect(await asked(page, platform, 'sync/link/page', second)).toBe(401);
  await page.getByLabel('状态').selectOption('revoked');
  await expect(row.getByText('已吊销', { exact: true })).toBeVisible();
});

test('the page of the log shows when its chain was verified and verifies it on request', {
  tag: '@wide',
}, async ({ page, platform }) => {
  test.setTimeout(200_000);
  await signIn(page, platform, '/monitor/operation-log');
  const proof = page.getByRole('region', { name: '日志校验' });
  await expect(proof.getByText('与写入时一致')).toBeVisible({ timeout: 60_000 });
  await proof.getByRole('button', { name: '立即校验' }).click();
  await expect(page.getByText('校验完成')).toBeVisible();
  await expectAccessible(page);
  await shoot(page, 'operation-log-proof');
});
