import type { FlowRecord } from '@/shared/api';
import { duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { shownState } from '@/shared/ui/states';
import { placeText, server } from '@/shared/widgets/sync/place';
import { Drawing, type Picture } from '@/shared/widgets/topology/picture';
import { pageOf, type Subscription } from './stages';

export interface FlowWords {
  publish: string;
  subscribe: string;
  process: string;
  topics: (count: number) => string;
  retention: (hours: number) => string;
}

type Place = FlowRecord['node']['source'];

function database(drawing: Drawing, place: Place, page: string): string {
  const id = `database ${placeText(place)}`;
  return drawing.box({ id, title: place.place.title, subtitle: server(place) }, page);
}

function drawSubscription(drawing: Drawing, topics: string, received: Subscription, words: FlowWords): void {
  const { service, lagMs, rowsPerSecond } = received;
  const isMoving = rowsPerSecond > 0;
  const role = received.clientType === 'databus' ? words.process : words.subscribe;
  const worker = drawing.box(
    {
      id: service.id,
      // A sync link has one channel, which is called like it; those of a subscriber have their own names.
      title: received.linkId ? received.name : received.channelName,
      subtitle: received.linkId ? role : `${role} · ${received.name}`,
      state: shownState(service.state, service.heldUp),
    },
    pageOf(received),
    { kind: 'channel', id: received.id, name: received.linkId ? received.name : received.channelName },
  );
  drawing.line({ from: topics, to: worker, label: lagMs === null ? undefined : duration(lagMs), isMoving });
  const target = database(drawing, received.target, pageOf(received));
  drawing.line({ from: worker, to: target, label: isMoving ? rate(rowsPerSecond) : undefined, isMoving });
}

function drawFlow(drawing: Drawing, { node, service, subscriptions }: FlowRecord, words: FlowWords): void {
  const page = paths.publishNode(node.source.kind, node.id);
  const metrics = { kind: 'service', id: service.id, name: node.name } as const;
  const source = database(drawing, node.source, page);
  const publisher = drawing.box(
    {
      id: service.id,
      title: node.name,
      subtitle: words.publish,
      state: node.state,
    },
    page,
    metrics,
  );
  const topics = drawing.box(
    {
      id: `topics ${node.id}`,
      title: words.topics(node.tables.total),
      subtitle: words.retention(node.retentionHours),
      state: node.tables.failed > 0 ? 'publish-failed' : undefined,
    },
    page,
    metrics,
  );
  const isMoving = subscriptions.some(({ rowsPerSecond }) => rowsPerSecond > 0);
  const lag = node.lagMs === null ? undefined : duration(node.lagMs);
  drawing.line({ from: source, to: publisher, label: lag, isMoving });
  drawing.line({ from: publisher, to: topics, isMoving });
  for (const received of subscriptions) drawSubscription(drawing, topics, received, words);
}

/**
 * Everything that data passes through, from left to right: source, publish service, topics, subscribe service, target.
 * A line says how old what waits is, or how many rows pass in a second. A database that several flows use is one box.
 * The last hour of each stage is behind its box.
 */
export function flowPicture(flows: readonly FlowRecord[], words: FlowWords): Picture {
  const drawing = new Drawing();
  for (const flow of flows) drawFlow(drawing, flow, words);
  return drawing;
}
