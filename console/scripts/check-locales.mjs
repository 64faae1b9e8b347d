// Both languages hold the same keys with the same placeholders, nothing is empty, and every key that the code names exists.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { files, catalogues as read, source } from './locales.mjs';

const problems = [];

function placeholders(text) {
  return [...text.matchAll(/{{\s*([\w.]+)[^}]*}}/g)]
    .map((match) => match[1])
    .sort()
    .join(',');
}

// English has plural forms that Chinese has not: `key_one` and `key_other` stand for the same key.
const singular = (key) => key.replace(/_(one|other)$/, '');

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
for (const { file, namespace, zh, en } of read()) {
  if (en.size === 0) problems.push(`${file} has no English counterpart`);
  else catalogues.set(namespace, compare(namespace, zh, en));
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
