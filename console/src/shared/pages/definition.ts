import type { QueryClient } from '@tanstack/react-query';
import type { CustomTypeOptions } from 'i18next';
import type { ComponentType } from 'react';
import type { MenuKey, PageTitle } from './menu-keys';

export type { MenuKey, PageTitle } from './menu-keys';

/** A set of messages that is loaded at once. */
export type MessageNamespace = keyof CustomTypeOptions['resources'];

/** One page inside the frame. A feature exports its pages as `pages: PageDefinition[]`. */
export interface PageDefinition {
  /** Route pattern under the base path, e.g. `/sync-link-config/:id`. */
  path: string;
  title: PageTitle;
  /** The menu entry that grants the page and is marked while it is open. */
  menu: MenuKey;
  /** No part of that entry: while it is open, none is marked. */
  offMenu?: boolean;
  /** Loaded when the page is first opened. */
  load: () => Promise<{ default: ComponentType }>;
  /** The messages it draws with. They come with the page, so that no part of it waits for its words when it is shown. */
  messages: readonly MessageNamespace[];
  /** Begins to ask what the page shows first, while the page itself is still on its way. Failures are the page's to tell. */
  fetchAhead?: (client: QueryClient) => Promise<void>;
  /** The page above this one in the breadcrumbs. */
  parent?: string;
  /** Its tab cannot be closed. */
  affix?: boolean;
  /** Forgotten when its tab is left, instead of kept alive. */
  noCache?: boolean;
  /** The breadcrumbs are not shown. */
  hideBreadcrumb?: boolean;
  /** The browser's title is only the product's name. */
  untitled?: boolean;
  /** Kept in the browser's storage under the node-info type key while the page is in front. */
  info?: string;
}
