// The JavaScript of the built console, as gzip makes it, stays within its budget: what signing in takes, what the home
// page takes in all, and what a page of the menu adds to that when it is the first one that is opened.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const KB = 1000;
const SIGN_IN = 130 * KB;
const HOME = 300 * KB;
const PAGE = 60 * KB;
/** Pages whose work is large: the wizard with all its steps, and the one that shows every component. */
const LARGE = { 'new-link-page': 145 * KB, 'demo-page': 150 * KB };

const folder = resolve(import.meta.dirname, '..', 'dist', 'assets');
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
const text = (name) => readFileSync(join(folder, name), 'utf8');
const plainName = (name) => name.replace(/-[\w-]{8}\.js$/, '');

/** The files themselves and all that they can't begin without. */
function whole(names) {
  const files = new Set(names);
  for (const file of files)
    for (const [, next] of text(file).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
      files.add(next);
  return files;
}

const size = (files) => [...files].reduce((sum, file) => sum + gzipSync(text(file), { level: 9 }).length, 0);
const called = (...names) => scripts.filter((name) => names.includes(plainName(name)));

/** Messages share the name of their language or of their part, and are told from code by having no import. */
const messages = (name) => scripts.filter((file) => plainName(file) === name && !/["']\.\//.test(text(file)));
const largest = (files) => files.sort((one, other) => text(other).length - text(one).length).slice(0, 1);

const signIn = whole([...called('begin', 'start', 'sign-in-page'), ...largest(messages('common'))]);
const homeWords = largest(called('frame-zh', 'frame-en'));
const home = whole([...signIn, ...called('frame', 'home-page'), ...homeWords]);

const findings = [
  ['sign-in', size(signIn), SIGN_IN],
  ['home', size(home), HOME],
  ...scripts
    .filter((name) => /-page$/.test(plainName(name)) && !home.has(name))
    .map((name) => {
      const added = [...whole([name])].filter((file) => !home.has(file));
      return [plainName(name), size(added), LARGE[plainName(name)] ?? PAGE];
    }),
];

if (findings.length < 10) throw new Error('The build has other names than this check knows');
for (const [name, found, most] of findings) {
  if (found <= most) continue;
  console.error(`${name} takes ${(found / KB).toFixed(1)} KB of JavaScript, its budget is ${most / KB} KB`);
  process.exitCode = 1;
}
if (process.argv.includes('--all'))
  for (const [name, found, most] of findings)
    console.log(`${(found / KB).toFixed(1).padStart(7)} of ${most / KB} KB  ${name}`);
