import type { Title } from '@/shared/pages/definition';

/** A path of the specification (2.2) that this version has no page for. It is in no menu, and its address says so. */
export interface NotAvailable {
  path: string;
  title: Title;
  /** The browser's title is only the product's name; `title` names the page on itself. */
  untitled?: boolean;
}

/** In the specification's order. Remove a page here when it is built: two of the same path fail a test. */
export const notAvailable: readonly NotAvailable[] = [];
