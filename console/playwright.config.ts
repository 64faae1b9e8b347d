import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** Files that neither change what others see nor see what others leave: a worker's platform serves one after the other. */
const sharing = [
  'account',
  'encode-tool',
  'file-preview',
  'store-page',
  'tasks/append-only',
  'tasks/articles',
  'tasks/audit-log',
  'tasks/call-progress',
  'tasks/data-service',
  'tasks/file-stores',
  'tasks/http-source',
  'tasks/kind-groups',
  'tasks/metrics',
  'tasks/mqtt-source',
  'tasks/network-route',
  'tasks/other-kind',
  'tasks/process',
  'tasks/service-accounts',
  'tasks/simplify-sync',
  'tasks/stopped-table',
  'tasks/tools',
  'tasks/verification',
  'tasks/webhook-source',
  'tasks/wizard',
].map((name) => `${name}.spec.ts`);
// A project has workers of its own: so each of the other files gets a platform that no other file has changed.
const longest = ['routes', 'tasks/steering', 'tasks/subscribe', 'frame', 'authority'].map(
  (name) => `${name}.spec.ts`,
);
// These begin first, so that no worker is left alone with one of them at the end.
const rank = (name: string) => (longest.includes(name) ? longest.indexOf(name) : longest.length);
const specs = readdirSync(join(import.meta.dirname, 'e2e'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.spec.ts'))
  .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));

// The same browser without windows, menus and extensions takes a fifth less of the processor.
const shell = '/usr/bin/chromium-headless-shell';
const chromium = existsSync(shell) ? shell : '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/programs.ts',
  projects: [
    ...specs
      .filter((name) => !sharing.includes(name))
      .map((name) => ({ name: name.replace('.spec.ts', ''), testMatch: `**/${name}` })),
    { name: 'shared', testMatch: sharing.map((name) => `**/${name}`) },
  ],
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // One platform serves a whole file. Tests wait about a third of their time, so three keep two cores busy.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/report.json' }]],
  use: {
    // A button that is not there fails at once, not when the whole test's time is over.
    actionTimeout: 30_000,
    viewport: { width: 1440, height: 900 },
    // Traces of all that goes well take a fifth of the run: `--trace retain-on-failure` makes them where one is wanted.
    screenshot: 'only-on-failure',
    // What fades in only keeps tests waiting. The console spares it those who ask for that.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.ZCBUS_CHROMIUM ?? chromium,
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
});
