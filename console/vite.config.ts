import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const controlPlane = process.env.ZCBUS_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/zcbus/',
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': controlPlane, '/ws': { target: controlPlane, ws: true } } },
  build: {
    target: 'es2022',
    sourcemap: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each file costs a request and its headers, and small files compress badly: what the first page needs is one
          // file, what the frame with its first page needs besides is another, and so on.
          groups: [
            { name: 'first', test: /src\/(main|features\/sign-in\/sign-in-page)\.tsx$/, priority: 4 },
            {
              name: 'frame',
              test: /src\/(app\/frame\/frame|features\/(home\/home-page|alert\/bell))\.tsx$/,
              priority: 3,
            },
            {
              name: 'list',
              test: /src\/shared\/ui\/(data-table\/index|list-(search|choice))\.tsx?$/,
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
    projects: [
      // A browser's environment takes longer to make than most tests to run: only what needs one gets one.
      {
        extends: true,
        test: {
          name: 'logic',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          exclude: ['**/*.dom.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          environment: 'jsdom',
          setupFiles: ['src/test-setup.ts'],
          include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
