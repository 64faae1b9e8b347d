import type { QueryClient } from '@tanstack/react-query';
import { findPage } from '../match';
import { loadPage } from '../page-loader';
import { pages } from '../pages';
import { fetchSession } from '../session';
import { loadKitLocale } from './kit-locale';

/**
 * Begins everything at once that drawing the frame and the page at `pathname` would ask for one after the other. What
 * fails here is asked for again when it is drawn, and told there.
 */
export function fetchAhead(client: QueryClient, pathname: string): void {
  fetchSession(client);
  const page = findPage(pages, pathname);
  const begun = [loadKitLocale(), page?.fetchAhead?.(client), page && loadPage(page)];
  for (const each of begun) each?.catch(() => undefined);
}
