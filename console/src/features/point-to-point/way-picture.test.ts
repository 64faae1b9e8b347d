import { expect, it } from 'vitest';
import type { WayRecord } from '@/shared/api';
import { wayPicture } from './way-picture';

const place = (database: string) => ({
  kind: 'mysql',
  place: { product: 'MySQL', title: database, address: 'db:3306' },
});
const way = (name: string, source: string, target: string, rowsPerSecond: number | null) =>
  ({
    id: name,
    name,
    linkId: name,
    taskId: name,
    source: place(source),
    target: place(target),
    state: 'beating',
    tables: 2,
    failed: 0,
    rowsPerSecond,
    lagMs: rowsPerSecond === null ? null : 40,
    tookMs: 12,
  }) as WayRecord;

it('ways run from left to right; a shared source is one box, and one that is read and written is two', () => {
  const ways = [way('a', 'shop', 'copy', 5), way('b', 'shop', 'lake', 0), way('c', 'copy', 'shop', null)];
  const { nodes, edges, pageOf } = wayPicture(ways, (count) => `${count} tables`);
  expect(nodes.filter(({ title }) => title === 'shop')).toHaveLength(2);
  expect(nodes).toHaveLength(8);
  expect(edges.map(({ label, isMoving }) => `${label ?? ''}${isMoving ? '!' : ''}`)).toEqual([
    '40 ms!',
    '5.0/s!',
    '40 ms',
    '',
    '',
    '',
  ]);
  expect(pageOf.get('a')).toBe('/sync-link-config/a');
});
