import type { LinkDetail } from '@/shared/api';
import { placeText, server } from '@/shared/widgets/sync/place';
import type { TopologyEdge, TopologyNode } from '@/shared/widgets/topology';

interface Words {
  publish: string;
  subscribe: string;
}

type Place = LinkDetail['source'];

const idOf = placeText;

function placeNode(place: Place): TopologyNode {
  return { id: idOf(place), title: place.place.title, subtitle: server(place) };
}

/** The services of a link that data passes through, from source to target. */
function stages(link: LinkDetail) {
  return (['publish', 'subscribe'] as const).flatMap((type) =>
    link.services.filter((service) => service.type === type).map(({ id, state }) => ({ id, state, type })),
  );
}

/**
 * Databases and services of links as a graph: source, services, target. A database that several links use is one
 * box. `linkOf`: the link behind a service's box.
 */
export function linkGraph(links: readonly LinkDetail[], words: Words) {
  const nodes = new Map<string, TopologyNode>();
  const edges: TopologyEdge[] = [];
  const linkOf = new Map<string, string>();
  for (const link of links) {
    const isMoving = !link.stale && link.rowsPerSecond > 0;
    const services = stages(link).map(({ id, type, state }): TopologyNode => {
      linkOf.set(id, link.id);
      return { id, title: link.name, subtitle: words[type], state };
    });
    const path = [placeNode(link.source), ...services, placeNode(link.target)];
    for (const node of path) nodes.set(node.id, node);
    for (const [index, { id }] of path.entries()) {
      const next = path[index + 1];
      if (next) edges.push({ from: id, to: next.id, isMoving });
    }
  }
  return { nodes: [...nodes.values()], edges, linkOf };
}
