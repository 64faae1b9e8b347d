import { storeKeys } from '@/shared/lib/store-keys';
import { ViewerStore } from '@/shared/settings/viewer-store';
import type { Side } from './types';

/** What a viewer changed about a table; whatever is not named here is as the page has it. */
export interface ViewerLayout {
  /** Keys from left to right. */
  order?: string[];
  visible?: Record<string, boolean>;
  /** Pixels. */
  widths?: Record<string, number>;
  fixed?: Record<string, Side | 'none'>;
  /** What the list was narrowed to when the viewer last left it. */
  filters?: Record<string, string>;
}

const layouts = new ViewerStore<ViewerLayout>(storeKeys.tableLayouts, 'table.');

/** A table as this viewer left it, as far as this browser knows. */
export function readLayout(table: string): ViewerLayout {
  return layouts.read(table) ?? {};
}

export function saveLayout(table: string, layout: ViewerLayout): void {
  layouts.save(table, layout);
}

/** As `ViewerStore.onFetched`. */
export function onLayoutsFetched(listener: () => void): () => void {
  return layouts.onFetched(listener);
}
