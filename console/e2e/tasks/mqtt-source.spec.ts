import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { front } from './wizard';

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

function isInstalled(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v mosquitto'], { env: { ...process.env, PATH } });
    return true;
  } catch {
    return false;
  }
}

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

test('a broker whose messages may repeat says so, and its topic filters are tested', {
  tag: '@wide',
}, async ({ page, platform }) => {
  test.skip(!isInstalled(), 'mosquitto is missing: Debian package mosquitto');
  const port = await freePort();
  const broker: ChildProcess = spawn('mosquitto', ['-p', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, PATH },
  });
  try {
    await signIn(page, platform, '/sync-link/new');
    await front(page).getByRole('button', { name: '选择数据源类型' }).click();
    const kinds = page.getByRole('dialog', { name: '选择数据源类型' });
    await kinds.getByRole('menuitem', { name: '消息队列' }).click();
    await expect(kinds.getByRole('button', { name: /MQTT/ })).toContainText('至少一次');
    await expect(kinds.getByRole('button', { name: /Kafka/ })).not.toContainText('至少一次');
    await expectAccessible(page);
    await shoot(page, 'mqtt-kinds');
    await kinds.getByRole('button', { name: /MQTT/ }).click();
    await expect(front(page).getByText('消息至少投递一次', { exact: true })).toBeVisible();
    await expectAccessible(page);

    await front(page).getByLabel('主机', { exact: true }).fill('127.0.0.1');
    await front(page).getByLabel('端口', { exact: true }).fill(String(port));
    await front(page).getByLabel('主题过滤器', { exact: true }).fill('sensors/+/temperature, $share/g/a');
    await shoot(page, 'mqtt-form');
    await front(page).getByRole('button', { name: '测试连接' }).click();
    const failed = page.getByRole('dialog', { name: '连接测试失败' });
    await expect(failed.locator('tr[data-status=failed]')).toHaveCount(1);
    await expect(failed.locator('tr[data-status=failed]')).toContainText('subscribe $share/g/a');
    await expect(failed.locator('tr[data-status=failed]')).toContainText('QoS ≥ 1');
    await shoot(page, 'mqtt-test');
    await page.keyboard.press('Escape');
    await front(page).getByLabel('主题过滤器', { exact: true }).fill('sensors/+/temperature');
    await front(page).getByRole('button', { name: '测试连接' }).click();
    const passed = page.getByRole('dialog', { name: '连接测试', exact: true });
    await expect(passed.getByRole('button', { name: '下一步' })).toBeVisible();
    await page.keyboard.press('Escape');

    await switchLanguage(page, 'en');
    await expect(
      front(page).getByText('Messages are delivered at least once', { exact: true }),
    ).toBeVisible();
    await shoot(page, 'mqtt-form-en');
  } finally {
    broker.kill();
  }
});
