import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
} from '../support/fixtures';
import { SshHost } from '../support/ssh-host';
import { rowOf } from './wizard';

const SLOW = { timeout: 60_000 };
const PATH = '/system/network-configuration';

async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}

test('a route is added, tested, its host key confirmed, taken by a connection, and kept while in use', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(240_000);
  const bastion = await SshHost.start();
  const server = await databases.start('postgresql');
  const database = await databases.create('postgresql', 'behind_bastion');
  try {
    await test.step('an empty list says what routes are for', async () => {
      await signIn(page, platform, PATH);
      await expect(page.getByText('还没有网络路由')).toBeVisible();
      await shoot(page, 'network-empty-zh');
    });

    const drawer = page.getByRole('dialog', { name: '新增路由' });
    await test.step('what the form has is tried before it is kept', async () => {
      await page.getByRole('button', { name: '新增路由' }).first().click();
      await drawer.locator('#name').fill('site-a');
      await drawer.locator('#host').fill('127.0.0.1');
      await drawer.locator('#port').fill(String(bastion.port));
      await drawer.locator('#user').fill('operator');
      await drawer.locator('#password').fill('Let-me-in-1');
      await drawer.locator('#targetHost').fill(server.host);
      await drawer.locator('#targetPort').fill(String(server.port));
      await drawer.getByRole('button', { name: /^测\s*试$/ }).click();
      await expect(drawer.getByText('堡垒机出示的主机密钥：')).toBeVisible(SLOW);
      await shoot(page, 'network-host-key-zh');
    });

    await test.step('the shown key is confirmed, and then each step passes', async () => {
      await drawer.getByRole('button', { name: '确认此密钥' }).click();
      await expect(drawer.locator('#hostKey')).toHaveValue(/^SHA256:/);
      await drawer.getByRole('button', { name: /^测\s*试$/ }).click();
      await expect(drawer.locator('.network-route-checks li[data-ok="true"]')).toHaveCount(4, SLOW);
      await expectAccessible(page);
      await shoot(page, 'network-tested-zh');
      await drawer.getByRole('button', { name: /^保\s*存$/ }).click();
      await expect(rowOf(page, 'site-a')).toContainText(`operator@127.0.0.1:${bastion.port}`);
    });

    await test.step('a connection takes it; the route then stays', async () => {
      const { kind, host, port, user, password } = server;
      const connection = { kind, host, port, user, password, database, route: 'site-a' };
      await platform.call('publish/node/add', { name: 'behind', connection });
      await page.reload();
      await rowOf(page, 'site-a')
        .getByRole('button', { name: /^删\s*除$/ })
        .click();
      const users = page.getByRole('dialog', { name: '路由 site-a 正在使用' });
      await expect(users.getByText('behind').first()).toBeVisible();
      await shoot(page, 'network-used-zh');
      await page.keyboard.press('Escape');
    });

    await test.step('in English, at both widths', async () => {
      await switchLanguage(page, 'en');
      for (const width of [1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(rowOf(page, 'site-a')).toContainText('SSH bastion');
        await expectNothingBeside(page);
        await shoot(page, `network-list-en-${width}`);
      }
    });
  } finally {
    await bastion.stop();
  }
});
