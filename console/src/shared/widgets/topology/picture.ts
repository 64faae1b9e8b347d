import type { MetricsViewProps } from '../metrics';
import type { TopologyEdge, TopologyNode } from './graph';

/** What a diagram shows, and what a click on a box opens: its metrics with the way to its page, else the page. */
export interface Picture {
  nodes: TopologyNode[];
  edges: TopologyEdge[];
  pageOf: ReadonlyMap<string, string>;
  metricsOf?: ReadonlyMap<string, MetricsViewProps>;
}

/** Collects boxes and lines; a box that several flows pass is drawn once, as the first of them sees it. */
export class Drawing implements Picture {
  readonly pageOf = new Map<string, string>();
  readonly metricsOf = new Map<string, MetricsViewProps>();
  private readonly boxes = new Map<string, TopologyNode>();
  private readonly lines = new Map<string, TopologyEdge>();

  box(node: TopologyNode, page?: string, metrics?: MetricsViewProps): string {
    if (!this.boxes.has(node.id)) this.boxes.set(node.id, node);
    if (page && !this.pageOf.has(node.id)) this.pageOf.set(node.id, page);
    if (metrics && !this.metricsOf.has(node.id)) this.metricsOf.set(node.id, metrics);
    return node.id;
  }

  /** A line between two boxes; drawn once, moving where data moves on any of those it stands for. */
  line(edge: TopologyEdge): void {
    const key = `${edge.from} ${edge.to}`;
    const before = this.lines.get(key);
    this.lines.set(key, before ? { ...before, isMoving: before.isMoving || edge.isMoving } : edge);
  }

  get nodes(): TopologyNode[] {
    return [...this.boxes.values()];
  }

  get edges(): TopologyEdge[] {
    return [...this.lines.values()];
  }
}
