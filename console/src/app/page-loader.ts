import i18n from 'i18next';
import type { PageDefinition } from '@/shared/pages/definition';

type Loaded = ReturnType<PageDefinition['load']>;

const begun = new Map<PageDefinition, Loaded>();

async function load(page: PageDefinition): Loaded {
  const [module] = await Promise.all([page.load(), i18n.loadNamespaces(page.messages)]);
  return module;
}

/** A page with the messages that it draws with; once it is on its way it is not asked for again, unless that failed. */
export function loadPage(page: PageDefinition): Loaded {
  const known = begun.get(page) ?? load(page);
  begun.set(page, known);
  known.catch(() => begun.delete(page));
  return known;
}
