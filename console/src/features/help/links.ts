import { paths } from '@/shared/pages/paths';

/** The console's path of what a page of the documentation links to; nothing for other addresses. */
export function pathOfLink(page: string, href: string): string | undefined {
  if (href.startsWith('/zcbus/')) return href.slice('/zcbus'.length);
  const [file = '', anchor] = href.split('#');
  if (!file.endsWith('.md') || /^[a-z]+:/.test(file)) return undefined;
  const { pathname } = new URL(file, `https://docs/${page}`);
  const name = pathname.slice(1).replace(/(\.zh)?\.md$/, '');
  return paths.article(name) + (anchor ? `#${anchor}` : '');
}
