import { matchPath } from 'react-router';
import type { PageDefinition } from '@/shared/pages/definition';
import { type NotAvailable, notAvailable } from './not-available';

/** The one of several patterns that a path fits. Exact patterns win over patterns with parameters. */
function fitting<Pattern extends { path: string }>(
  patterns: readonly Pattern[],
  pathname: string,
): Pattern | undefined {
  const matching = patterns.filter(({ path }) => matchPath(path, pathname));
  return matching.find(({ path }) => !path.includes(':')) ?? matching[0];
}

/** The page that a path shows. */
export function findPage(pages: readonly PageDefinition[], pathname: string): PageDefinition | undefined {
  return fitting(pages, pathname);
}

/** What the specification has at a path and this version has not. */
export function findNotAvailable(pathname: string): NotAvailable | undefined {
  return fitting(notAvailable, pathname);
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
