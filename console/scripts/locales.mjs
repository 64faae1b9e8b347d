// The console's texts as its locale files hold them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export const source = resolve(import.meta.dirname, '..', 'src');

/** Files below src/ whose path matches, by path from there. */
export function files(pattern) {
  return readdirSync(source, { recursive: true }).filter((name) => pattern.test(name));
}

function flatten(tree, prefix = '') {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}

function read(path) {
  return new Map(existsSync(path) ? flatten(JSON.parse(readFileSync(path, 'utf8'))) : []);
}

/** src/features/home/locales/zh.json is namespace "home"; src/app/locales/zh/frame.json is namespace "frame". */
function namespaceOf(path) {
  const folder = dirname(path);
  return basename(folder) === 'locales' ? basename(dirname(folder)) : basename(path, '.json');
}

/** Each namespace with its file and its texts by key in both languages, in the order of the names. */
export function catalogues() {
  return files(/locales[/\\](zh|zh[/\\][\w-]+)\.json$/)
    .map((file) => {
      const zh = join(source, file);
      const en = zh.replace(/([/\\])zh(\.json|[/\\])/, '$1en$2');
      return { file, namespace: namespaceOf(zh), zh: read(zh), en: read(en) };
    })
    .sort((one, other) => (one.namespace < other.namespace ? -1 : 1));
}
