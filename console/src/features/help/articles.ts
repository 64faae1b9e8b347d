import type { Locale } from '@/shared/i18n/locale';

const texts = import.meta.glob<string>(['./articles/*/*.md', './disclaimers/*.md'], {
  query: '?raw',
  import: 'default',
});

/** The articles in the order in which they are offered; each is there in both languages. */
export const articleNames = [
  'getting-started',
  'table-states',
  'processes',
  'computations',
  'alerts',
  'troubleshooting',
] as const;

export type ArticleName = (typeof articleNames)[number];

export function isArticle(name: string): name is ArticleName {
  return (articleNames as readonly string[]).includes(name);
}

async function load(path: string): Promise<string> {
  const text = texts[path];
  if (!text) throw new Error(`There is no text ${path}`);
  return text();
}

export function loadArticle(name: ArticleName, locale: Locale): Promise<string> {
  return load(`./articles/${locale}/${name}.md`);
}

export function loadDisclaimers(locale: Locale): Promise<string> {
  return load(`./disclaimers/${locale}.md`);
}
