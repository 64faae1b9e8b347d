/** The part of a parsed article that anchors need: elements with children, and texts. */
interface Node {
  type: string;
  tagName?: string;
  value?: string;
  children?: Node[];
  properties?: Record<string, unknown>;
}

function textOf(node: Node): string {
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(textOf).join('');
}

/** Letters of any script, digits and dashes: what an address shows without escapes. */
function anchorOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  return plain.replace(/^-|-$/g, '') || 'section';
}

function headingsOf(node: Node): Node[] {
  if (/^h[1-6]$/.test(node.tagName ?? '')) return [node];
  return (node.children ?? []).flatMap(headingsOf);
}

/** A rehype plugin: every heading gets an anchor of its own, the second of one name `name-2`. */
export function rehypeAnchors() {
  return (article: Node): void => {
    const times = new Map<string, number>();
    for (const heading of headingsOf(article)) {
      const anchor = anchorOf(textOf(heading));
      const count = (times.get(anchor) ?? 0) + 1;
      times.set(anchor, count);
      heading.properties = { ...heading.properties, id: count === 1 ? anchor : `${anchor}-${count}` };
    }
  };
}
