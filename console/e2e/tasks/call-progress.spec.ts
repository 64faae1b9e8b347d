import { expect, expectAccessible, signIn, switchLanguage, test } from '../support/fixtures';
import { rowOf } from './wizard';

const TABLES = 300;
const SLOW = { timeout: 60_000 };

/** What stands between the words of a language. */
const words = {
  zh: {
    add: /添加表/,
    title: '为主控 m 添加表',
    all: `选择全部 ${TABLES} 张`,
    subscribe: `订阅 ${TABLES} 张表`,
    progress: '正在执行操作',
    step: '正在预检查',
    cancel: '取消操作',
    background: '后台继续',
    cancelled: '已取消，未做任何更改',
  },
  en: {
    add: /Add tables/,
    title: 'Add tables to master m',
    all: `Choose all ${TABLES}`,
    subscribe: `Subscribe ${TABLES} tables`,
    progress: 'Operation under way',
    step: 'Checking the tables',
    cancel: 'Cancel the operation',
    background: 'Continue in the background',
    cancelled: 'Cancelled, nothing was changed',
  },
} as const;

test('a long call is followed and cancelled; once it continues, everything is done', {
  tag: '@wide',
}, async ({ page, platform, databases }) => {
  test.setTimeout(300_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'long_source');
  const target = await databases.create('postgresql', 'long_target');
  await databases.execute(
    'postgresql',
    source,
    `do $$ begin
       for n in 1..${TABLES} loop execute format('create table t_%s (id int primary key, name text)', n); end loop;
     end $$`,
  );
  const connection = (database: string) => ({ kind, host, port, user, password, database });
  const nodeMaster = await platform.call('publish/node/add', {
    name: 'long',
    connection: connection(source),
    start: false,
  });
  const tables = Array.from({ length: TABLES }, (_, place) => ({
    schema: 'public',
    table: `t_${place + 1}`,
  }));
  await platform.call('publish/table/add', { nodeMaster, tables });
  const customerId = await platform.call('subscribe/customer/add', {
    name: 'branch',
    connection: connection(target),
  });
  const [database] = (
    await platform.call<{ records: { id: string }[] }>('subscribe/database/page', { customerId })
  ).records;
  const controlId = await platform.call('subscribe/control/add', {
    name: 'm',
    customerId,
    databaseId: database?.id,
    nodeMaster,
  });
  const subscribed = async () =>
    (await platform.call<{ total: number }>('subscribe/table/page', { controlId })).total;
  await signIn(page, platform, '/subscribe');

  /** Asks for all tables, as far as it goes while the target keeps the pre-check waiting. */
  const ask = async (language: 'zh' | 'en') => {
    const word = words[language];
    await rowOf(page, 'branch').getByRole('button', { name: word.add }).click();
    const drawer = page.getByRole('dialog', { name: word.title });
    await drawer.getByRole('button', { name: word.all }).click(SLOW);
    await drawer.getByRole('button', { name: word.subscribe }).click();
    const shown = page.getByRole('dialog', { name: word.progress });
    await expect(shown).toContainText(word.step, SLOW);
    return { word, drawer, shown };
  };

  for (const language of ['zh', 'en'] as const) {
    await test.step(`it is shown with figures, and called off by keyboard (${language})`, async () => {
      // What the pre-check reads of the target's structures lies in there.
      await databases.hold('postgresql', target, 'lock table pg_attrdef in access exclusive mode');
      if (language === 'en') await switchLanguage(page, language);
      const { word, drawer, shown } = await ask(language);
      const bar = shown.getByRole('progressbar', { name: /^[\d,]+ \/ [\d,]+$/ });
      await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]/, SLOW);
      await expectAccessible(page, 'progress', '.ant-modal');
      await shown.getByRole('button', { name: word.cancel }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText(word.cancelled)).toBeVisible(SLOW);
      await expect(shown).toBeHidden();
      await databases.release('postgresql');
      expect(await subscribed()).toBe(0);
      await drawer.press('Escape');
      await page
        .getByRole('dialog')
        .last()
        .getByRole('button', { name: /放弃修改|Discard/ })
        .click();
    });
  }

  await test.step('closed, it continues in the background until all of it is done', async () => {
    await databases.hold('postgresql', target, 'lock table pg_attrdef in access exclusive mode');
    const { word, drawer, shown } = await ask('en');
    await shown.getByRole('button', { name: word.background }).click();
    await expect(shown).toBeHidden();
    await databases.release('postgresql');
    await expect(drawer).toBeHidden(SLOW);
    expect(await subscribed()).toBe(TABLES);
  });
});
