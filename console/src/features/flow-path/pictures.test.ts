import { expect, it } from 'vitest';
import type { FlowRecord } from '@/shared/api';
import type { Picture } from '@/shared/widgets/topology/picture';
import { flowPicture } from './flow-picture';
import { topologyPicture } from './topology-picture';

const place = (database: string, host = 'db') => ({
  kind: 'mysql',
  place: { product: 'MySQL', title: database, address: `${host}:3306` },
});
const service = (id: string, agentHost: string | null) => ({
  id,
  containerId: 'c1',
  containerName: 'default',
  state: 'started',
  stale: false,
  agentHost,
});
const received = (
  name: string,
  host: string | null,
  rowsPerSecond: number,
  linkId: string | null = name,
) => ({
  id: `${name}-channel`,
  name,
  channelName: `${name}-1`,
  target: place(name, 'warehouse'),
  service: service(`${name}-subscribe`, host),
  rowsPerSecond,
  lagMs: 40,
  linkId,
  clientType: 'client',
});
const flow = (name: string, subscriptions: object[], failed = 0) =>
  ({
    node: {
      id: name,
      name,
      source: place('shop'),
      containerName: 'default',
      state: 'started',
      tables: { total: 3, failed },
      retentionHours: 72,
      lagMs: null,
    },
    service: service(`${name}-publish`, 'one'),
    subscriptions,
  }) as unknown as FlowRecord;

const flows = [
  flow('first', [received('copy', 'one', 0), received('lake', 'two', 5)]),
  flow('second', [received('later', null, 0, null)], 1),
];

const linesOf = ({ edges }: Picture) =>
  edges.map(
    ({ from, to, label, isMoving }) => `${from} > ${to}${label ? ` ${label}` : ''}${isMoving ? ' !' : ''}`,
  );

it('a flow runs from its source over its topics to every target, and a shared database is one box', () => {
  const words = {
    publish: 'P',
    subscribe: 'S',
    process: 'P',
    topics: (count: number) => `${count} topics`,
    retention: (hours: number) => `${hours} h`,
  };
  const picture = flowPicture(flows, words);
  expect(linesOf(picture)).toEqual([
    'database shop · MySQL db:3306 > first-publish !',
    'first-publish > topics first !',
    'topics first > copy-subscribe 40 ms',
    'copy-subscribe > database copy · MySQL warehouse:3306',
    'topics first > lake-subscribe 40 ms !',
    'lake-subscribe > database lake · MySQL warehouse:3306 5.0/s !',
    'database shop · MySQL db:3306 > second-publish',
    'second-publish > topics second',
    'topics second > later-subscribe 40 ms',
    'later-subscribe > database later · MySQL warehouse:3306',
  ]);
  expect(picture.nodes.filter(({ title }) => title === 'shop')).toHaveLength(1);
  const titles = new Map(picture.nodes.map(({ id, title, subtitle }) => [id, `${title} (${subtitle})`]));
  expect(titles.get('lake-subscribe')).toBe('lake (S)');
  expect(titles.get('later-subscribe')).toBe('later-1 (S · later)');
  const broken = picture.nodes.filter(({ state }) => state === 'publish-failed').map(({ id }) => id);
  expect(broken).toEqual(['topics second']);
  expect([...(picture.metricsOf?.values() ?? [])].map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'service first-publish',
    'service first-publish',
    'channel copy-channel',
    'channel lake-channel',
    'service second-publish',
    'service second-publish',
    'channel later-channel',
  ]);
  expect(picture.pageOf.get('topics second')).toBe('/publishsubdetail/mysql/second');
  expect(picture.pageOf.get('lake-subscribe')).toBe('/sync-link-config/lake');
  expect(picture.pageOf.get('later-subscribe')).toBe('/subscribe/data-sheet?channel=later-channel');
});

it('hosts stand between the servers, and the bus only between hosts', () => {
  const words = { nowhere: '?', bus: 'bus', busHint: '', services: String };
  const picture = topologyPicture(flows, words);
  expect(linesOf(picture)).toEqual([
    'from MySQL db:3306 > host default one !',
    'host default one > to MySQL warehouse:3306',
    'host default one > bus !',
    'bus > host default two !',
    'host default two > to MySQL warehouse:3306 !',
    'bus > host default ',
    'host default  > to MySQL warehouse:3306',
  ]);
  expect(picture.nodes.map(({ title, subtitle }) => `${title} ${subtitle}`)).toEqual([
    'one · default 3',
    'db:3306 MySQL',
    'warehouse:3306 MySQL',
    'two · default 1',
    'bus ',
    '? · default 1',
  ]);
  expect(picture.pageOf.get('host default one')).toBe('/containerdetail/c1');
  expect(picture.pageOf.get('to MySQL warehouse:3306')).toBe('/sync-link-config/copy');
  expect(picture.nodes.filter(({ isPlain }) => isPlain).map(({ id }) => id)).toEqual(['bus']);
});
