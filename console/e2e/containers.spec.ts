import type { Locator, Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectNothingBeside,
  signIn,
  switchLanguage,
  test,
  useLanguage,
} from './support/fixtures';
import type { Platform } from './support/platform';

/** A busy machine answers late, and an agent takes what it is given when it asks. */
const SLOW = { timeout: 60_000 };

interface Container {
  containerName: string;
  agents: { host: string }[];
}

/** The name of a container's host, once it is there. */
async function hostOf(platform: Platform, name: string): Promise<string> {
  let host: string | undefined;
  await expect(async () => {
    const containers = await platform.call<Container[]>('container/list', {});
    host = containers.find(({ containerName }) => containerName === name)?.agents[0]?.host;
    expect(host, `a host of ${name}`).toBeTruthy();
  }).toPass(SLOW);
  return host ?? '';
}

const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

test('新增容器，用命令加入主机，查看容器', { tag: '@wide' }, async ({ page, platform }) => {
  await signIn(page, platform, '/container');
  await expect(row(page, /default/)).toContainText('1 / 1');
  await page.getByRole('button', { name: '新增容器' }).click();
  const drawer = page.getByRole('dialog', { name: '新增容器' });
  await drawer.getByLabel('容器名称').fill('east');
  await drawer.getByLabel('显示名称').fill('华东采集');
  await drawer.getByRole('button', { name: '保存' }).click();
  const dialog = page.getByRole('dialog', { name: '向 east 新增主机' });
  await expect(dialog.getByText('等待主机加入')).toBeVisible();
  await expectAccessible(page);
  platform.runHost((await dialog.getByText(/^zcbus agent /).textContent()) ?? '');
  await expect(dialog.getByText(/已加入$/)).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole('button', { name: '关闭' }).click();
  await expect(row(page, /华东采集/)).toContainText('1 / 1');
  await page.getByRole('link', { name: 'east' }).click();
  await expect(page.getByRole('heading', { name: '华东采集' })).toBeVisible();
  const host = page.getByRole('table', { name: '主机', exact: true }).getByRole('row').last();
  await expect(host.getByText('已连接')).toBeVisible();
  // Processor, memory and disk are measured, not made up.
  await expect(host).toContainText(/\d+\.\d%.*\d+%.*\d+%/);
  await expectAccessible(page);
  await host.getByRole('button', { name: /^日志：/ }).click();
  await expect(page.getByRole('log')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: '服务' }).click();
  await expect(page.getByText('还没有服务')).toBeVisible();
  await page.getByRole('tab', { name: '属性' }).click();
  await page.getByRole('button', { name: '编辑批次' }).click();
  const editor = page.getByRole('dialog', { name: '编辑批次' });
  await editor.getByLabel('批次大小').fill('99');
  await expect(editor.getByText('1 到 32', { exact: true })).toBeVisible();
  await editor.getByLabel('批次大小').fill('4');
  await editor.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('table', { name: '批次' })).toContainText('4 MiB');
  await expectAccessible(page);

  await page.getByRole('tab', { name: '主机' }).click();
  await expect(host.getByRole('button', { name: /^移除主机 / })).toBeDisabled();
  await platform.stopHosts();
  await expect(host.getByText('已断开')).toBeVisible({ timeout: 60_000 });
  await host.getByRole('button', { name: /^移除主机 / }).click();
  const question = page.getByRole('dialog', { name: /^移除主机 .+？$/ });
  await expect(question).toContainText('未收到该主机的心跳');
  await expectAccessible(page);
  await question.getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('暂无主机')).toBeVisible();
});

test('a container is changed and deleted; the platform’s own stays', { tag: '@wide' }, async ({
  page,
  platform,
}) => {
  await useLanguage(page, 'en');
  await signIn(page, platform, '/container');
  await expect(row(page, /default/).getByRole('button', { name: 'Delete' })).toBeDisabled();
  await page.getByRole('button', { name: 'Add container' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add container' });
  await drawer.getByLabel('Container name').fill('west');
  await drawer.getByLabel('Display name').fill('West');
  await drawer.getByRole('button', { name: 'Save' }).click();
  const join = page.getByRole('dialog', { name: 'Add a host to west' });
  await join.getByRole('button', { name: 'Close' }).click();
  await row(page, /west/).getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit container West' });
  await editor.getByLabel('Display name').fill('Far west');
  await editor.getByRole('switch', { name: 'Move services when a host is gone' }).click();
  await editor.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'west' }).click();
  await expect(page.getByText(/Services stay on their host/)).toBeVisible();
  await page.goBack();
  await expect(row(page, /Far west/)).toContainText('Not started');
  await expectAccessible(page);
  await row(page, /Far west/)
    .getByRole('button', { name: 'Delete' })
    .click();
  const question = page.getByRole('dialog', { name: /Delete container Far west/ });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, /Far west/)).toHaveCount(0);
});

test('服务转到有主机的容器，固定在主机上，列表显示运行位置', { tag: '@wide' }, async ({ page, platform }) => {
  const source = { kind: 'postgresql', host: '127.0.0.1', port: 9, user: 'u', password: 'p', database: 'd' };
  await platform.call('container/cluster/add', { containerName: 'empty', displayName: '没有主机' });
  await platform.call('publish/node/add', {
    name: 'movable',
    connection: source,
    container: 'empty',
    start: false,
  });
  const host = await hostOf(platform, 'default');
  await signIn(page, platform, '/system/service_management');
  const service = row(page, /movable/);
  const ask = async (action: string) => {
    await service.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const choose = async (drawer: Locator, field: string, title: string) => {
    await drawer.getByRole('combobox', { name: field }).click();
    await page.locator('.ant-select-dropdown:visible').getByTitle(title, { exact: true }).click();
  };
  await expect(service.getByText('empty', { exact: true })).toBeVisible(SLOW);
  await expect(service).not.toContainText(host);

  await test.step('转移到另一个容器，由那里的主机接手', async () => {
    await ask('转移');
    const drawer = page.getByRole('dialog', { name: '转移 1 个服务' });
    await expect(drawer).toContainText('movable');
    await choose(drawer, '容器名称', 'default');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden(SLOW);
    await expect(service.getByText('default', { exact: true })).toBeVisible(SLOW);
    await expect(service.getByText(host, { exact: true })).toBeVisible(SLOW);
    await expect(service.getByRole('img', { name: '已固定' })).toHaveCount(0);
  });

  await test.step('固定在主机上，再放开', async () => {
    for (const isPinned of [true, false]) {
      await ask('指定主机');
      const drawer = page.getByRole('dialog', { name: '指定 1 个服务的主机' });
      await choose(drawer, '运行位置', host);
      const pin = drawer.getByRole('switch', { name: '固定在主机上' });
      await pin.click();
      await expect(pin).toBeChecked({ checked: isPinned });
      await drawer.getByRole('button', { name: '保存' }).click();
      await expect(drawer).toBeHidden(SLOW);
      await expect(service.getByRole('img', { name: '已固定' })).toHaveCount(isPinned ? 1 : 0, SLOW);
      await expect(service.getByText(host, { exact: true })).toBeVisible(SLOW);
    }
  });

  await test.step('窗口宽 1280 像素时，两种语言的列表都无需横向滚动', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const [language, state] of [
      ['zh', '运行状态'],
      ['en', 'Running status'],
    ] as const) {
      await switchLanguage(page, language);
      await expect(page.getByRole('columnheader', { name: state })).toBeVisible(SLOW);
      await expect(service.getByRole('button')).not.toHaveCount(0);
      await expectNothingBeside(page);
    }
  });
});
