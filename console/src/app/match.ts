import { matchPath } from 'react-router';
import type { PageDefinition } from '@/shared/pages/definition';

/** The page that a path shows. Exact patterns win over patterns with parameters. */
export function findPage(pages: readonly PageDefinition[], pathname: string): PageDefinition | undefined {
  const matching = pages.filter(({ path }) => matchPath(path, pathname));
  return matching.find(({ path }) => !path.includes(':')) ?? matching[0];
}

function pageAbove(pages: readonly PageDefinition[], page: PageDefinition): PageDefinition | undefined {
  return pages.find((candidate) => candidate.path === page.parent);
}

/** The key of the menu entry that grants a page: its own, the one that it names, or the one of the page above it. */
export function menuKeyOf(pages: readonly PageDefinition[], page: PageDefinition): string {
  if (typeof page.menu === 'string') return page.menu;
  const above = page.menu ? undefined : pageAbove(pages, page);
  return above ? menuKeyOf(pages, above) : page.path.slice(1);
}

/** From the topmost page down to `page` itself. */
export function breadcrumbTrail(pages: readonly PageDefinition[], page: PageDefinition): PageDefinition[] {
  const above = pageAbove(pages, page);
  return above ? [...breadcrumbTrail(pages, above), page] : [page];
}
