import type { QueryClient } from '@tanstack/react-query';
import type { CustomTypeOptions } from 'i18next';
import type { ComponentType } from 'react';
import type { Operation } from '../hooks/granted-menu';
import { currentLocale } from '../i18n/locale';

/** A set of messages that is loaded at once. */
export type MessageNamespace = keyof CustomTypeOptions['resources'];

/** In both languages: the menu, the breadcrumbs, the tabs and the server's catalogue show the same. */
export interface Title {
  zh: string;
  en: string;
}

export function titleIn(title: Title): string {
  return title[currentLocale()];
}

/**
 * A place in the menu and what a role can be allowed behind it. `npm run menu` writes the server's catalogue from these:
 * a call may ask only for an operation that stands here.
 */
export interface MenuPlace {
  /** Entries stand in this order. Administrators' own order is stored in the same numbers: leave gaps, never renumber. */
  position: number;
  /** The key of the group that the entry stands in. */
  group?: string;
  /** Topmost entries have one. */
  icon?: ComponentType;
  operations: readonly Operation[];
  /** Granted by its own name, or to a role that may do everything: leave to view every entry does not open it. */
  administrative?: boolean;
  /** It concerns every tenant: only a role that spans tenants opens it. */
  wholePlatform?: boolean;
  /** A remote client may view it where its role allows it; everything else stays closed to remote clients. */
  forRemote?: boolean;
  /** Offered to remote clients alone. */
  remoteOnly?: boolean;
}

/** An entry of the menu that is no page's own: a group, a permission outside the pages, or a second one of a page. */
export interface MenuEntryDefinition extends MenuPlace {
  key: string;
  kind: 'group' | 'page' | 'permission';
  title: Title;
}

/** One page inside the frame: router, menu, breadcrumbs, tabs, the server's catalogue and the route tests come from it. */
export interface PageDefinition {
  /** Route pattern under the base path, e.g. `/sync-link-config/:id`. */
  path: string;
  title: Title;
  /**
   * The page's own entry, whose key is its path without the first slash; or the key of the entry that grants the page and
   * is marked while it is open. Left out: the entry of the page above it.
   */
  menu?: MenuPlace | string;
  /** No part of that entry: while it is open, none is marked. */
  offMenu?: boolean;
  /** Loaded when the page is first opened. */
  load: () => Promise<{ default: ComponentType }>;
  /** The messages it draws with. They come with the page, so that no part of it waits for its words when it is shown. */
  messages: readonly MessageNamespace[];
  /** Starts to load the page's first data, while its code still loads. The page reports failures. */
  fetchAhead?: (client: QueryClient) => Promise<void>;
  /** The path of the page above this one in the breadcrumbs. */
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

/** The pages of a feature, for its `pages.ts`; `app/pages.ts` lists the features. */
export function definePages(...pages: PageDefinition[]): readonly PageDefinition[] {
  return pages;
}
