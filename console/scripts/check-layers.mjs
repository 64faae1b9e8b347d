// Layers of the console: app -> features/<noun> -> shared. Features never import each other.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const source = resolve(import.meta.dirname, '..', 'src');
const rank = { shared: 0, features: 1, app: 2 };

function place(path) {
  const [layer, noun] = relative(source, path).split(sep);
  return { layer, noun: layer === 'features' ? noun : undefined };
}

function target(file, specifier) {
  if (specifier.startsWith('@/')) return join(source, specifier.slice(2));
  return specifier.startsWith('.') ? resolve(dirname(file), specifier) : undefined;
}

function problem(file, specifier) {
  const to = target(file, specifier);
  if (to === undefined) return undefined;
  const [from, into] = [place(file), place(to)];
  if (!(from.layer in rank) || !(into.layer in rank)) return undefined;
  if (rank[into.layer] > rank[from.layer]) return `${from.layer} must not import ${into.layer}`;
  if (from.noun && into.noun && from.noun !== into.noun) return 'features must not import each other';
  return undefined;
}

let count = 0;
for (const entry of readdirSync(source, { recursive: true })) {
  if (!/\.tsx?$/.test(entry)) continue;
  const file = join(source, entry);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g,
  )) {
    const found = problem(file, specifier);
    if (found) {
      console.error(`src/${entry}: ${found} (${specifier})`);
      count += 1;
    }
  }
}
process.exitCode = count ? 1 : 0;
