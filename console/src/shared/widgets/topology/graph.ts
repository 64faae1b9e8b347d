import { Graph, layout } from '@dagrejs/dagre';

export interface TopologyNode {
  id: string;
  title: string;
  /** What it is: a database, a service. */
  subtitle?: string;
  /** One of the console's states; colours the box and is written in it. */
  state?: string;
  /** A click on it does nothing. */
  isPlain?: boolean;
}

export interface TopologyEdge {
  from: string;
  to: string;
  label?: string;
  /** Data flows now. */
  isMoving?: boolean;
}

export const NODE_WIDTH = 204;
export const NODE_HEIGHT = 72;

/** Pixels that a box must be pulled before it moves. */
export const DRAG_THRESHOLD = 5;

export const ZOOM = { least: 0.3, most: 3, step: 0.1 } as const;

/** One step nearer or farther, on the steps' own marks, within the bounds. */
export function zoomed(zoom: number, steps: number): number {
  const wanted = Math.round(zoom / ZOOM.step + steps) * ZOOM.step;
  return Math.min(ZOOM.most, Math.max(ZOOM.least, Math.round(wanted * 10) / 10));
}

/** Where every box stands, by its id: pixels from the upper left corner of the diagram. */
export function placeNodes(
  nodes: readonly TopologyNode[],
  edges: readonly TopologyEdge[],
): Map<string, { x: number; y: number }> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { from, to } of edges) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to);
  layout(graph);
  return new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0 } = graph.node(id);
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
}
