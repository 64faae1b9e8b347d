import type { QueryClient } from '@tanstack/react-query';
import { findPage } from '../match';
import { loadPage } from '../page-loader';
import { pages } from '../pages';
import { fetchSession } from '../session';
import { loadKitLocale } from './kit-locale';

/**
 * Starts at once all queries that the frame and the page at `pathname` would start one after the other. A query that
 * fails here runs again when its part is rendered, which reports the failure.
 */
export function fetchAhead(client: QueryClient, pathname: string): void {
  fetchSession(client);
  const page = findPage(pages, pathname);
  const begun = [loadKitLocale(), page?.fetchAhead?.(client), page && loadPage(page)];
  for (const each of begun) each?.catch(() => undefined);
}
