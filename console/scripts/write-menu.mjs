// The server's catalogue of the menu, made from the pages' definitions. With --check it is only compared.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const target = resolve(import.meta.dirname, '../../src/zcbus/control/platform/menu_catalogue.json');
const { module } = await runnerImport(resolve(import.meta.dirname, '../src/app/menu-catalogue.ts'), {
  resolve: { alias: { '@': resolve(import.meta.dirname, '../src') } },
  logLevel: 'error',
});
const lines = module.menuCatalogue().map((entry) => `  ${JSON.stringify(entry)}`);
const text = `[\n${lines.join(',\n')}\n]\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error(
    'The menu catalogue is not what the pages define. Make it anew: npm --prefix console run menu',
  );
  process.exitCode = 1;
}
