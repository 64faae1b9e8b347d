import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const controlPlane = process.env.ZCBUS_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/zcbus/',
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': controlPlane, '/ws': { target: controlPlane, ws: true } } },
  build: { target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 1200 },
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
