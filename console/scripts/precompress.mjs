// Puts a .br and a .gz beside every text file of the build, so that the server never compresses one while somebody waits.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const SMALLEST = 1024;
const folder = resolve(import.meta.dirname, '..', 'dist');

for (const name of readdirSync(folder, { recursive: true })) {
  const file = join(folder, name);
  if (!/\.(js|css|html|svg|json)$/.test(name) || statSync(file).size < SMALLEST) continue;
  const content = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(content));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
}
