import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

/** A webhook that keeps what it takes, and answers with a status that can be set. */
async function webhook(): Promise<{
  server: Server;
  url: string;
  taken: string[];
  answer: { status: number };
}> {
  const taken: string[] = [];
  const answer = { status: 200 };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      taken.push(body);
      response.writeHead(answer.status).end('no such room');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/hook/key-1`, taken, answer };
}

test('a receiver is added, tested, and shows why a notice failed', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  const hook = await webhook();
  await signIn(page, platform, '/system/message-management');
  const row = (name: string) => front(page).getByRole('row').filter({ hasText: name });

  await test.step('a webhook is added; its address and secret are not shown again', async () => {
    await expect(front(page).getByText('暂无通知')).toBeVisible();
    await page.getByRole('tab', { name: '接收方' }).click();
    await front(page).getByRole('button', { name: '添加接收方' }).first().click();
    const drawer = page.getByRole('dialog', { name: '添加接收方' });
    await shot(page, 'receiver-mail-zh');
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('请输入邮件服务器')).toBeVisible();
    await drawer.getByRole('textbox', { name: '名称' }).fill('值班');
    await drawer.getByRole('combobox', { name: '方式' }).click();
    await page.locator('.ant-select-dropdown:visible').getByTitle('Webhook', { exact: true }).click();
    await drawer.getByLabel('Webhook 地址').fill(hook.url);
    await drawer.getByLabel('签名密钥').fill('secret-1');
    await shot(page, 'receiver-webhook-zh');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
    await expect(row('值班')).toContainText('127.0.0.1');
    await expect(row('值班')).not.toContainText('key-1');
  });

  await test.step('a test reaches it', async () => {
    await row('值班').getByRole('button', { name: '测试' }).click();
    await expect(row('值班').getByText('已发送')).toBeVisible();
    expect(hook.taken.map((body) => JSON.parse(body).title)).toEqual(['[ZCBUS] 测试通知']);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectNothingBeside(page);
    await shot(page, 'receivers-zh-1280');
    await expectAccessible(page);
  });

  await test.step('what it refuses is listed with the reason, and is sent again', async () => {
    hook.answer.status = 404;
    await row('值班').getByRole('button', { name: '测试' }).click();
    await expect(row('值班').getByText('失败', { exact: true })).toBeVisible();
    await switchLanguage(page, 'en');
    await page.getByRole('tab', { name: 'Notices sent' }).click();
    const failed = row('Failed');
    await expect(failed).toContainText('127.0.0.1 refused it: 404 no such room');
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectNothingBeside(page);
    await shot(page, 'deliveries-en-1280');
    await failed.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('dialog', { name: 'Details' });
    await expect(details.getByText('admin')).toBeVisible();
    await shot(page, 'delivery-en');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    hook.answer.status = 200;
    await failed.getByRole('button', { name: 'Resend' }).click();
    await expect(row('Sent')).toHaveCount(2);
  });

  await test.step('its address stays where the form leaves it empty, and the receiver is deleted', async () => {
    await page.getByRole('tab', { name: 'Receivers' }).click();
    await row('值班').getByRole('button', { name: 'Edit' }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit receiver 值班' });
    await expect(drawer.getByLabel('Webhook address')).toHaveValue('');
    await drawer.getByRole('textbox', { name: /Name$/ }).fill('on call');
    await shot(page, 'receiver-edit-en');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await row('on call').getByRole('button', { name: 'Test' }).click();
    await expect.poll(() => hook.taken.length).toBe(4);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await shot(page, 'receivers-en-1920');
    await row('on call').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(front(page).getByText('No receivers yet')).toBeVisible();
    await expectAccessible(page);
  });
  hook.server.close();
});
