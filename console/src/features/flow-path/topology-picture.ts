import type { FlowRecord } from '@/shared/api';
import { paths } from '@/shared/pages/paths';
import { Drawing, type Picture } from '@/shared/widgets/topology/picture';
import { pageOf } from './stages';

export interface TopologyWords {
  /** In place of a host: no agent has taken the service yet. */
  nowhere: string;
  bus: string;
  busHint: string;
  services: (count: number) => string;
}

type Place = FlowRecord['node']['source'];
type Service = FlowRecord['service'];

const BUS = 'bus';
const hostId = ({ containerName, agentHost }: Service) => `host ${containerName} ${agentHost ?? ''}`;

/** How many services each host runs. */
function servicesByHost(flows: readonly FlowRecord[]): Map<string, number> {
  const counts = new Map<string, number>();
  const all = flows.flatMap(({ service, subscriptions }) => [
    service,
    ...subscriptions.map(({ service: one }) => one),
  ]);
  for (const service of all) counts.set(hostId(service), (counts.get(hostId(service)) ?? 0) + 1);
  return counts;
}

class Topology {
  readonly drawing = new Drawing();
  private readonly counts: Map<string, number>;
  private readonly words: TopologyWords;

  constructor(flows: readonly FlowRecord[], words: TopologyWords) {
    this.counts = servicesByHost(flows);
    this.words = words;
    for (const flow of flows) this.draw(flow);
  }

  private host(service: Service): string {
    const { containerId, containerName, agentHost, stale } = service;
    return this.drawing.box(
      {
        id: hostId(service),
        title: `${agentHost ?? this.words.nowhere} · ${containerName}`,
        subtitle: this.words.services(this.counts.get(hostId(service)) ?? 0),
        state: agentHost === null ? undefined : stale ? 'disconnected' : 'connected',
      },
      paths.container(containerId),
    );
  }

  private server(side: 'from' | 'to', { place }: Place, page: string): string {
    const address = place.address || place.title;
    return this.drawing.box(
      { id: `${side} ${place.product} ${address}`, title: address, subtitle: place.product },
      page,
    );
  }

  private draw({ node, service, subscriptions }: FlowRecord): void {
    const reader = this.host(service);
    const isRead = subscriptions.some(({ rowsPerSecond }) => rowsPerSecond > 0);
    const page = paths.publishNode(node.source.kind, node.id);
    this.drawing.line({ from: this.server('from', node.source, page), to: reader, isMoving: isRead });
    for (const received of subscriptions) {
      const isMoving = received.rowsPerSecond > 0;
      const writer = this.host(received.service);
      if (writer !== reader) this.overBus(reader, writer, isMoving);
      const to = this.server('to', received.target, pageOf(received));
      this.drawing.line({ from: writer, to, isMoving });
    }
  }

  /** Between two hosts changes pass by the bus that they share. */
  private overBus(reader: string, writer: string, isMoving: boolean): void {
    const bus = this.drawing.box({
      id: BUS,
      title: this.words.bus,
      subtitle: this.words.busHint,
      isPlain: true,
    });
    this.drawing.line({ from: reader, to: bus, isMoving });
    this.drawing.line({ from: bus, to: writer, isMoving });
  }
}

/**
 * Which hosts read and write which database servers, and what passes between the hosts. A server that is read and
 * written is two boxes, so that everything runs from left to right.
 */
export function topologyPicture(flows: readonly FlowRecord[], words: TopologyWords): Picture {
  return new Topology(flows, words).drawing;
}
