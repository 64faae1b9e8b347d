import { createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front } from './wizard';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** The page at both widths. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
  }
}

test('the form of webhooks says what is lost, and its port, paths and secrets are tested', {
  tag: '@wide',
}, async ({ page, platform }) => {
  const port = await freePort();
  await signIn(page, platform, '/sync-link/new');
  await front(page).getByRole('button', { name: '选择数据源类型' }).click();
  const kinds = page.getByRole('dialog', { name: '选择数据源类型' });
  await kinds.getByRole('menuitem', { name: 'HTTP 接口' }).click();
  await expect(kinds.getByRole('button', { name: /Webhook/ })).toContainText('至少一次');
  await shoot(page, 'webhook-kinds');
  await kinds.getByRole('button', { name: /Webhook/ }).click();
  await expect(front(page).getByText('消息至少投递一次', { exact: true })).toBeVisible();
  await expect(front(page).getByText('服务停止期间发送方放弃重发的请求会丢失')).toBeVisible();
  await expectAccessible(page);

  const fill = (label: string, value: string) => front(page).getByLabel(label, { exact: true }).fill(value);
  await fill('监听地址', '127.0.0.1');
  await fill('端口', String(port));
  await fill('公开地址', 'https://hooks.example.com');
  await fill('路径', 'orders, github/events');
  await fill('验证方式', 'github/*: github; orders: none');
  await shoot(page, 'webhook-form');
  await front(page).getByRole('button', { name: '测试连接' }).click();
  const failed = page.getByRole('dialog', { name: '连接测试失败' });
  await expect(failed.locator('tr[data-status=failed]')).toContainText(
    'POST https://hooks.example.com/github/events',
  );
  await shoot(page, 'webhook-test');
  await page.keyboard.press('Escape');
  await fill('密钥', 'first second');
  await front(page).getByRole('button', { name: '测试连接' }).click();
  const passed = page.getByRole('dialog', { name: '连接测试', exact: true });
  await expect(passed.getByText('none: anyone can write')).toBeVisible();
  await expect(passed.getByRole('button', { name: '下一步' })).toBeVisible();
  await shoot(page, 'webhook-passed');
  await page.keyboard.press('Escape');

  const holder = createServer().listen(port, '127.0.0.1');
  try {
    await front(page).getByRole('button', { name: '重新测试' }).click();
    await expect(failed.locator('tr[data-status=failed]')).toContainText('Address already in use');
    await page.keyboard.press('Escape');
  } finally {
    holder.close();
  }
  await test.step("another type's form begins with its own port, and without the secret", async () => {
    await front(page).getByRole('button', { name: '更换类型' }).click();
    await kinds.getByRole('button', { name: /^RabbitMQ/ }).click();
    await expect(front(page).getByLabel('端口', { exact: true })).toHaveValue('5672');
    await front(page).getByRole('button', { name: '更换类型' }).click();
    await kinds.getByRole('button', { name: /^Webhook/ }).click();
    await expect(front(page).getByLabel('端口', { exact: true })).toHaveValue('8480');
    await expect(front(page).getByLabel('密钥', { exact: true })).toHaveValue('');
  });
  await switchLanguage(page, 'en');
  await shoot(page, 'webhook-form-en');
});
