import type { Page } from '@playwright/test';
import type { ScreenRecord } from '../../src/shared/api';
import { storeKeys } from '../../src/shared/lib/store-keys';
import { BusyWall } from '../support/busy-wall';
import type { Databases } from '../support/databases';
import { expect, signIn, test } from '../support/fixtures';
import { described, growth, leastOf, MemoryMeter, type PageMemory } from '../support/page-memory';
import type { Platform } from '../support/platform';
import { front } from './wizard';

/** How much time passes by the page's clock, in hours; at least one more than WARM_HOURS. */
const WALL_HOURS = Number(process.env.WALL_HOURS ?? 24);
const BUSY_HOURS = Math.min(6, WALL_HOURS);
/** Until then the page still comes to what it keeps, as texts, or answers that it may show again. */
const WARM_HOURS = 2;

const HOUR = 3_600_000;
/** The page looks every ten seconds of its clock, or more often. */
const LOOK = 10_000;
const READINGS = 10;
/** An answer may come while the clock runs: the page then asks again with the next step. */
const ANSWER = { timeout: 3000 };
/** Of what the page keeps after WARM_HOURS. */
const GROWTH = 0.05;

const answers = /(overview-monitor\/get|point-to-point\/page)$/;
const flows = (page: Page) => front(page).getByRole('region', { name: '数据流' }).getByRole('listitem');

// Machine code for what is used often comes and is dropped for hours, in amounts that would hide a leak.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const interpreted = '--js-flags=--no-opt --no-maglev --no-sparkplug --no-flush-bytecode';
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), interpreted] });
  },
});

/** Opens the wall on a clock that the test moves; the session of this browser, kept for a day, lasts longer than that. */
async function openWall(page: Page, platform: Platform, path = '/overview-monitor'): Promise<void> {
  await page.clock.install({ time: Date.now() });
  await signIn(page, platform, path);
  await page.evaluate(
    ([key, days]) => {
      const kept = JSON.parse(localStorage.getItem(key) ?? '{}');
      localStorage.setItem(key, JSON.stringify({ ...kept, expires: Date.now() + days }));
    },
    [storeKeys.token, 7 * 24 * HOUR] as const,
  );
}

/**
 * Moves the page's clock. The clock's own `runFor` leaves a script in the browser with each call, which makes a day of
 * calls slow.
 */
function runFor(page: Page, milliseconds: number): Promise<void> {
  return page.evaluate((ticks) => {
    type Clock = { controller: { runFor: (ticks: number) => Promise<void> } };
    return (globalThis as unknown as { __pwClock: Clock }).__pwClock.controller.runFor(ticks);
  }, milliseconds);
}

/** Lets that many hours pass, with a look every ten seconds. Answers what the page keeps at the end, and how often it looked. */
async function pass(
  page: Page,
  meter: MemoryMeter,
  hours: number,
): Promise<{ kept: PageMemory; looks: number }> {
  const seen: PageMemory[] = [];
  const steps = Math.round((hours * HOUR) / LOOK);
  let looks = 0;
  for (let step = 1; step <= steps; step++) {
    const answered = page.waitForResponse(answers, ANSWER).then(
      (answer) => answer.finished().then(() => 1),
      () => 0,
    );
    await runFor(page, LOOK);
    looks += await answered;
    if (step > steps - READINGS) seen.push(await meter.read());
  }
  return { kept: leastOf(seen), looks };
}

/** Lets time pass up to that hour; from WARM_HOURS on, the page must not grow. */
async function expectNoGrowth(page: Page, until: number): Promise<void> {
  const hours = [WARM_HOURS, 4, 6, 12].filter((hour) => hour < until).concat(until);
  const meter = await MemoryMeter.of(page);
  const kept: PageMemory[] = [];
  let looks = 0;
  for (const [place, hour] of hours.entries()) {
    const passed = await pass(page, meter, hour - (hours[place - 1] ?? 0));
    looks += passed.looks;
    kept.push(passed.kept);
    const description = `${hour} h, ${looks} looks: ${described(passed.kept)}`;
    test.info().annotations.push({ type: 'memory', description });
  }
  expect(looks, 'looks of the page').toBeGreaterThan((0.9 * until * HOUR) / LOOK);
  const [first, ...later] = kept;
  if (!first) throw new Error('no hour was given');
  for (const one of later) {
    const { mib, nodes, listeners } = growth(first, one);
    const grown = `${described(first)}, later ${described(one)}`;
    expect(Math.max(mib, nodes, listeners), grown).toBeLessThanOrEqual(GROWTH);
  }
}

/** Changes the source once a second of the true clock, until it is stopped. */
function keepChanging(databases: Databases, database: string): () => Promise<void> {
  let isOver = false;
  const changing = (async () => {
    while (!isOver) {
      await databases.execute('postgresql', database, 'update orders set n = n + 1 where id <= 50;');
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  return () => {
    isOver = true;
    return changing;
  };
}

test('the wall shows a link that moves rows for a day without growth of memory', { tag: '@soak' }, async ({
  page,
  platform,
  databases,
  browserErrors,
}) => {
  test.setTimeout(WALL_HOURS * 900_000 + 240_000);
  const { kind, host, port, user, password } = await databases.start('postgresql');
  const source = await databases.create('postgresql', 'wall_source');
  const target = await databases.create('postgresql', 'wall_target');
  await databases.execute(
    'postgresql',
    source,
    'create table orders (id int primary key, n int); insert into orders select n, n from generate_series(1, 500) n;',
  );
  const server = { kind, host, port, user, password };
  const document = {
    link: 'always busy',
    source: { ...server, database: source },
    target: { ...server, database: target },
    tables: ['public.*'],
  };
  await platform.call('sync/link/apply', { document, start: true });
  const stop = keepChanging(databases, source);
  await openWall(page, platform);
  await expect(flows(page)).toContainText(['always busy']);
  await expectNoGrowth(page, WALL_HOURS);
  await expect(flows(page)).toContainText(['always busy']);
  // The socket of events, whose signs of life come by the true clock, was taken for dead many times.
  browserErrors.length = 0;
  await stop();
});

/** Answers the calls of a page: with each answer the figures differ, and each hundredth fails. */
async function answerBusily(page: Page, platform: Platform): Promise<void> {
  const wall = new BusyWall(await platform.call<ScreenRecord>('overview-monitor/get', {}));
  const numbers = new Map<string, number>();
  await page.route(/\/api\/zcbus\/(overview-monitor|point-to-point)\//, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/api/zcbus/', '');
    const number = (numbers.get(path) ?? 0) + 1;
    numbers.set(path, number);
    if (number % 101 === 100) return route.fulfill({ status: 503, body: 'not now' });
    await route.fulfill({ json: { code: 200, message: '', data: wall.answer(path, number) } });
  });
}

test('ways, tables and alerts that appear on the wall and vanish leave nothing behind', {
  tag: '@soak',
}, async ({ page, platform, browserErrors }) => {
  test.setTimeout(BUSY_HOURS * 900_000 + 120_000);
  await answerBusily(page, platform);
  await openWall(page, platform);
  await expect(flows(page)).toHaveCount(10);
  await expectNoGrowth(page, BUSY_HOURS);
  await expect(flows(page)).toHaveCount(10);
  // Looks that failed on purpose.
  browserErrors.length = 0;
});

test('ways that appear on the screen of point to point and vanish leave nothing behind', {
  tag: '@soak',
}, async ({ page, platform, browserErrors }) => {
  test.setTimeout(BUSY_HOURS * 900_000 + 120_000);
  await answerBusily(page, platform);
  await openWall(page, platform, '/point-to-point-v2');
  await expect(front(page).getByRole('article')).toHaveCount(10);
  await expectNoGrowth(page, BUSY_HOURS);
  await expect(front(page).getByRole('article')).toHaveCount(10);
  browserErrors.length = 0;
});
