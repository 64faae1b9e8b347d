// The server's catalogue of the console's texts, made from the locale files. With --check it is only compared.
// A line: key, Chinese, English; null where a language has no such form of a plural.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogues } from './locales.mjs';

const target = resolve(
  import.meta.dirname,
  '../../src/zcbus/control/features/translation/console_texts.json',
);
const lines = catalogues().flatMap(({ namespace, zh, en }) =>
  [...new Set([...zh.keys(), ...en.keys()])]
    .sort()
    .map((key) => JSON.stringify([`${namespace}:${key}`, zh.get(key) ?? null, en.get(key) ?? null])),
);
const text = `[\n${lines.join(',\n')}\n]\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error(
    "The server's catalogue of texts is out of date. Make it anew: npm --prefix console run texts",
  );
  process.exitCode = 1;
}
