// Both languages hold the same keys with the same placeholders, nothing is empty, and every key that the code names exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const source = resolve(import.meta.dirname, '..', 'src');
const problems = [];

function files(pattern) {
  return readdirSync(source, { recursive: true }).filter((name) => pattern.test(name));
}

function flatten(tree, prefix = '') {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}

function read(path) {
  return new Map(flatten(JSON.parse(readFileSync(path, 'utf8'))));
}

function placeholders(text) {
  return [...text.matchAll(/{{\s*([\w.]+)[^}]*}}/g)]
    .map((match) => match[1])
    .sort()
    .join(',');
}

// English has plural forms that Chinese has not: `key_one` and `key_other` stand for the same key.
const singular = (key) => key.replace(/_(one|other)$/, '');

/** src/features/home/locales/zh.json is namespace "home"; src/app/locales/zh/frame.json is namespace "frame". */
function namespaceOf(path) {
  const folder = dirname(path);
  return basename(folder) === 'locales' ? basename(dirname(folder)) : basename(path, '.json');
}

function compare(namespace, zh, en) {
  const english = new Map([...en].map(([key, text]) => [singular(key), text]));
  const chinese = new Map([...zh].map(([key, text]) => [singular(key), text]));
  for (const [key, text] of chinese) {
    if (!english.has(key)) problems.push(`${namespace}: ${key} is missing in English`);
    else if (placeholders(text) !== placeholders(english.get(key)))
      problems.push(`${namespace}: ${key} has other placeholders in English`);
    if (!text.trim()) problems.push(`${namespace}: ${key} is empty in Chinese`);
  }
  for (const [key, text] of english) {
    if (!chinese.has(key)) problems.push(`${namespace}: ${key} is missing in Chinese`);
    if (!text.trim()) problems.push(`${namespace}: ${key} is empty in English`);
  }
  return new Set([...chinese.keys(), ...english.keys()]);
}

const catalogues = new Map();
for (const name of files(/locales[/\\](zh|zh[/\\][\w-]+)\.json$/)) {
  const zh = join(source, name);
  const en = zh.replace(/([/\\])zh(\.json|[/\\])/, '$1en$2');
  if (!existsSync(en)) problems.push(`${name} has no English counterpart`);
  else catalogues.set(namespaceOf(zh), compare(namespaceOf(zh), read(zh), read(en)));
}

for (const name of files(/\.tsx?$/)) {
  if (/[/\\]gen[/\\]|\.test\.tsx?$/.test(name)) continue;
  const text = readFileSync(join(source, name), 'utf8');
  const named = [
    ...new Set([...text.matchAll(/useTranslation\(\s*\[?\s*['"]([\w-]+)['"]/g)].map((match) => match[1])),
  ];
  // A feature's own hook, which speaks its words as the page needs them.
  if (/useWords\(/.test(text)) named.push(name.split(/[/\\]/)[1]);
  const defaults =
    /useTranslation\(\)|i18n\.t\(/.test(text) || named.length === 0 ? [...named, 'common'] : named;
  for (const [, , key] of text.matchAll(/\b(t|translate)\(\s*['"]([\w:.-]+)['"]/g)) {
    const [path, ...before] = key.split(':').reverse();
    const places = before.length ? before : defaults;
    if (!places.some((namespace) => catalogues.get(namespace)?.has(path)))
      problems.push(`${name}: no message ${places.join('|')}:${path}`);
  }
  const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
  // A page's definition holds its title in both languages.
  const titles = /title: {\s*zh: '[^']+',\s*en: '[^']+',?\s*}/g;
  const bare = text.replace(comments, '').replace(titles, '');
  if (/[\u4e00-\u9fff]/.test(bare)) problems.push(`${name}: Chinese text outside the locale files`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length ? 1 : 0;
