import type { MenuPlace, Title } from '@/shared/pages/definition';
import { menuEntries } from './menu-entries';
import { pages } from './pages';

interface Entry extends MenuPlace {
  key: string;
  kind: 'group' | 'page' | 'permission';
  title: Title;
}

function ownEntries(): Entry[] {
  return pages.flatMap(({ path, title, menu }): Entry[] =>
    typeof menu === 'object' ? [{ ...menu, key: path.slice(1), kind: 'page', title }] : [],
  );
}

/** The menu in its usual order as the server reads it: pages with an entry of their own, groups and permissions. */
export function menuCatalogue() {
  const entries = [...menuEntries, ...ownEntries()];
  return entries
    .sort((one, other) => one.position - other.position)
    .map(({ key, kind, title, position, group, operations, ...who }) => ({
      key,
      kind,
      title_zh: title.zh,
      title_en: title.en,
      position,
      parent: group,
      operations,
      administrative: who.administrative,
      whole_platform: who.wholePlatform,
      for_remote: who.forRemote,
      remote_only: who.remoteOnly,
    }));
}
