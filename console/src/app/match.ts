import { matchPath } from 'react-router';
import type { PageDefinition } from '@/shared/pages/definition';

/** The page that a path shows. Exact patterns win over patterns with parameters. */
export function findPage(pages: readonly PageDefinition[], pathname: string): PageDefinition | undefined {
  const matching = pages.filter((page) => matchPath(page.path, pathname));
  return matching.find((page) => !page.path.includes(':')) ?? matching[0];
}

/** From the topmost page down to `page` itself. */
export function breadcrumbTrail(pages: readonly PageDefinition[], page: PageDefinition): PageDefinition[] {
  const parent = page.parent ? pages.find((candidate) => candidate.path === page.parent) : undefined;
  return parent && parent !== page ? [...breadcrumbTrail(pages, parent), page] : [page];
}
