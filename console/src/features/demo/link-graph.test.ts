import { expect, it } from 'vitest';
import type { LinkDetail } from '@/shared/api';
import { linkGraph } from './link-graph';
import { marked } from './record-columns';

const place = (database: string) => ({
  kind: 'mysql',
  place: { product: 'MySQL', title: database, address: 'db:3306' },
});
const link = (id: string, target: string) =>
  ({
    id,
    name: id,
    stale: false,
    rowsPerSecond: id === 'one' ? 5 : 0,
    source: place('shop'),
    target: place(target),
    services: [
      { id: `${id}-s`, type: 'subscribe', state: 'stopped' },
      { id: `${id}-p`, type: 'publish', state: 'started' },
    ],
  }) as unknown as LinkDetail;

it('a link runs from its source over its services to its target; a shared database is one box', () => {
  const words = { publish: 'P', subscribe: 'S' };
  const { nodes, edges, linkOf } = linkGraph([link('one', 'copy'), link('two', 'lake')], words);
  expect(nodes.map(({ title, subtitle }) => `${title} ${subtitle}`)).toEqual([
    'shop MySQL db:3306',
    'one P',
    'one S',
    'copy MySQL db:3306',
    'two P',
    'two S',
    'lake MySQL db:3306',
  ]);
  expect(edges.slice(0, 3).map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'shop · MySQL db:3306 > one-p',
    'one-p > one-s',
    'one-s > copy · MySQL db:3306',
  ]);
  expect(edges.map(({ isMoving }) => isMoving)).toEqual([true, true, true, false, false, false]);
  expect(linkOf.get('two-p')).toBe('two');
});

it('marks what was searched for, and leaves no HTML of the text itself', () => {
  expect(marked('sync-link_apply', 'LINK')).toBe('sync-<mark>link</mark>_apply');
  expect(marked('<b>&', '')).toBe('&#60;b&#62;&#38;');
});
