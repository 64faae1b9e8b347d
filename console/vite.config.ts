import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const controlPlane = process.env.ZCBUS_URL ?? 'http://127.0.0.1:8080';

/** The page's own script only begins to fetch, so the page itself names what it fetches first, the styles included. */
const namesFirst: Plugin = {
  name: 'names-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/start.tsx'));
      const files = new Set(start ? [start.fileName] : []);
      // A set that grows while it is walked is walked to its end.
      for (const file of files)
        for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next);
      const wanted = chunks.filter(({ fileName }) => files.has(fileName));
      const styles = new Set(wanted.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      const link = (rel: string, file: string) => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `/zcbus/${file}` },
        injectTo: 'head' as const,
      });
      return [
        ...wanted.map(({ fileName }) => link('modulepreload', fileName)),
        ...[...styles].map((file) => link('stylesheet', file)),
      ];
    },
  },
};

/** The kit's configuration needs only a context of its forms; the forms come with the pages that have some. */
const formContextAlone: Plugin = {
  name: 'form-context-alone',
  enforce: 'pre',
  resolveId(source, importer) {
    const isContext = source === '@rc-component/form' && importer?.endsWith('/antd/es/form/context.js');
    return isContext ? this.resolve('@rc-component/form/es/FormContext', importer) : undefined;
  },
};

/** Small parts that pages with a list share with pages with a form: in the file of either they would bring it whole. */
const inFrame = [
  /src\/(app\/frame\/frame|features\/home\/home-page)\.tsx$/,
  /antd\/es\/(_util\/(hooks\/useForceUpdate|responsiveObserver)|grid\/hooks\/\w+)\.js$/,
  /ant-design\/icons.*\/(Search|DoubleLeft|DoubleRight|QuestionCircle)Outlined\.js$/,
  /src\/shared\/(lib\/text|hooks\/use-url-state)\.ts$/,
];

/** Areas whose calls signing in, the frame, its first page, or one part of the console alone makes: they lie with it. */
const ownCalls = [
  'alert',
  'audit-stream',
  'common',
  'container',
  'home',
  'menu',
  'message-bus',
  'metrics',
  'notification',
  'operation-log',
  'overview-monitor',
  'parameter',
  'policy',
  'registration',
  'session',
  'sql',
  'search',
  'service-account',
  'sync-link',
  'sync-task',
  'task-plan',
  'terminal',
  'translation',
  'user-setting',
];

/** The calls of all other areas. */
const laterCalls = new RegExp(`src/shared/api/gen/sdk/(?!(${ownCalls.join('|')})\\.gen)`);

/** Files of pages whose tests put something in the place of modules, globals or the clock, which no other may meet. */
const replacing = readdirSync(join(import.meta.dirname, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(test\.tsx|dom\.test\.ts)$/.test(name))
  .map((name) => join('src', name))
  .filter((name) =>
    /vi\.(mock|stubGlobal|useFakeTimers)\(/.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );

const inBrowser = {
  environment: 'jsdom',
  setupFiles: ['src/test-setup.ts'],
  include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
  testTimeout: 60_000,
};

export default defineConfig({
  base: '/zcbus/',
  plugins: [react(), namesFirst, formContextAlone],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': controlPlane, '/ws': { target: controlPlane, ws: true } } },
  build: {
    target: 'es2022',
    sourcemap: false,
    // Browsers without it fetch each file when it is asked for: later, but all the same.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // A file of calls only declares them: who needs none of them need not fetch it.
      treeshake: { moduleSideEffects: [{ test: /src\/shared\/api\/gen\/sdk\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          // Each file costs a request and its headers, and small files compress badly: what the first page needs is one
          // file, what the frame with its first page needs besides is another, and so on.
          groups: [
            // Left out of its door's dependencies, else the first page would fetch the calls of all others.
            { name: 'calls', test: laterCalls, priority: 6, includeDependenciesRecursively: false },
            {
              name: 'begin',
              test: /src\/(main|app\/messages|app\/frame\/kit-words)\.ts$|vite\/preload-helper/,
              priority: 5,
            },
            { name: 'first', test: /src\/(start|features\/sign-in\/sign-in-page)\.tsx$/, priority: 4 },
            {
              name: 'frame',
              test: (id) => inFrame.some((part) => part.test(id)),
              priority: 3,
            },
            {
              name: 'list',
              test: /src\/shared\/ui\/(data-table\/index|list-(search|choice|state))\.tsx?$/,
              priority: 2,
            },
            { name: 'form', test: /src\/shared\/ui\/form-drawer\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    restoreMocks: true,
    // By default one core stays idle; tests wait now and then, so one worker more than the two cores keeps both busy.
    maxWorkers: 3,
    projects: [
      // A browser's environment takes long to make as well: only what needs one gets one.
      {
        extends: true,
        test: {
          name: 'logic',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          exclude: ['**/*.dom.test.ts'],
        },
      },
      // Loading the kit takes longer than most tests: a worker loads it once for all its files.
      { extends: true, test: { ...inBrowser, name: 'pages', exclude: replacing, isolate: false } },
      { extends: true, test: { ...inBrowser, name: 'pages apart', include: replacing } },
    ],
  },
});
