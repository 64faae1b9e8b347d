import { matchPath } from 'react-router';
import type { PageDefinition } from '@/shared/pages/definition';
import { type SpecifiedRoute, specifiedRoutes } from './routes';

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

/** What the specification has at a path, built or not. */
export function findRoute(pathname: string): SpecifiedRoute | undefined {
  return fitting(specifiedRoutes, pathname);
}

/** From the topmost page down to `page` itself. */
export function breadcrumbTrail(pages: readonly PageDefinition[], page: PageDefinition): PageDefinition[] {
  const parent = page.parent ? pages.find((candidate) => candidate.path === page.parent) : undefined;
  return parent && parent !== page ? [...breadcrumbTrail(pages, parent), page] : [page];
}
