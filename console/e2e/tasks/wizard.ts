import { expect, type Page } from '@playwright/test';
import type { Server } from '../support/databases';

const kindNames = { postgresql: 'PostgreSQL', mysql: 'MySQL / MariaDB' } as const;

export interface Place {
  server: Server;
  database: string;
  /** Instead of the server's own. */
  password?: string;
}

/** The page in front: the pages of other tabs are kept alive, hidden. */
export function front(page: Page) {
  return page.locator('.frame-page:not([hidden])');
}

/** Chooses the type in the dialog and fills in the connection, without testing it. */
export async function fillConnection(page: Page, place: Place): Promise<void> {
  await front(page)
    .getByRole('button', { name: /选择数据源类型|更换类型/ })
    .click();
  const dialog = page.getByRole('dialog', { name: '选择数据源类型' });
  await dialog.getByRole('button', { name: kindNames[place.server.kind] }).click();
  await expect(dialog).toBeHidden();
  await typeConnection(page, place);
}

/** Fills in the connection of a type that was chosen already. */
export async function typeConnection(page: Page, { server, database, password }: Place): Promise<void> {
  await front(page).getByLabel('主机').fill(server.host);
  await front(page).getByLabel('端口').fill(String(server.port));
  await front(page).getByLabel('用户名').fill(server.user);
  await front(page)
    .getByLabel('密码', { exact: true })
    .fill(password ?? server.password);
  await front(page).getByLabel('数据库', { exact: true }).fill(database);
}

/** Tests the connection that was filled in and continues to the next step. */
export async function passTest(page: Page): Promise<void> {
  await front(page).getByRole('button', { name: '测试连接' }).click();
  const dialog = page.getByRole('dialog', { name: '连接测试' });
  await dialog.getByRole('button', { name: '下一步' }).click();
  await expect(dialog).toBeHidden();
}

/** Continues to the next step, and returns when it is shown: its button is called like the one just used. */
export async function next(page: Page): Promise<void> {
  const heading = front(page).getByRole('heading', { level: 2 });
  const before = (await heading.textContent()) ?? '';
  await front(page).getByRole('button', { name: '下一步' }).click();
  await expect(heading).not.toHaveText(before);
}

/** Waits until the pre-check has ended without an error, and continues. */
export async function passPrecheck(page: Page): Promise<void> {
  await expect(front(page).getByRole('heading', { name: '预检查' })).toBeVisible();
  // Where the check takes longer, a dialog says so too.
  await expect(front(page).getByText('正在检查')).toBeHidden({ timeout: 60_000 });
  await expect(
    front(page)
      .getByRole('status')
      .filter({ hasText: /检查通过|不影响启动/ }),
  ).toBeVisible();
  await next(page);
}

/** Names the link and starts it; ends on the page of its task. */
export async function start(page: Page, name: string): Promise<void> {
  await front(page).getByLabel('链路名称').fill(name);
  await front(page).getByRole('button', { name: '创建并启动' }).click();
  await page.waitForURL(/\/zcbus\/sync-task-config\//);
  await expect(front(page).getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** From an empty wizard to a running link over all tables of the source that have a key. */
export async function makeLink(
  page: Page,
  url: string,
  name: string,
  source: Place,
  target: Place,
): Promise<void> {
  await page.goto(`${url}/zcbus/sync-link/new`);
  await fillConnection(page, source);
  await passTest(page);
  await fillConnection(page, target);
  await passTest(page);
  await front(page)
    .getByRole('button', { name: /选择全部匹配的/ })
    .click();
  await next(page);
  await next(page);
  await passPrecheck(page);
  await start(page, name);
}

/** The row of a table list that holds `text`. */
export function rowOf(page: Page, text: string) {
  return front(page).getByRole('row').filter({ hasText: text });
}

/** The cell of a table list's row that stands under a column's head. */
export async function cellOf(page: Page, text: string, column: string) {
  const heads = await front(page).getByRole('columnheader').allInnerTexts();
  const index = heads.findIndex((head) => head.trim() === column);
  expect(index, `column ${column} among ${heads.join(', ')}`).toBeGreaterThan(-1);
  return rowOf(page, text).getByRole('cell').nth(index);
}
