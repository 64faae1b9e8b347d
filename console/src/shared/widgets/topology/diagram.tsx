import { CompressOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons';
import {
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useNodesState,
  useReactFlow,
  useStore,
  useViewport,
} from '@xyflow/react';
import { Button, Space } from 'antd';
import { type ComponentProps, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { StateMark, StateTip } from '@/shared/ui/state-tag';
import { useClicks } from './click';
import {
  DRAG_THRESHOLD,
  NODE_HEIGHT,
  NODE_WIDTH,
  placeNodes,
  type TopologyEdge,
  type TopologyNode,
  ZOOM,
  zoomed,
} from './graph';
import '@xyflow/react/dist/base.css';
import './topology.css';

export interface TopologyProps {
  /** Names the diagram for screen readers. */
  label: string;
  nodes: readonly TopologyNode[];
  edges: readonly TopologyEdge[];
  onClick?: (id: string) => void;
  onDoubleClick?: (id: string) => void;
  /** Pixels. */
  height?: number;
}

type BoxData = { node: TopologyNode; press: (id: string, clicks?: number) => void };

/** What the tip of the node's state listens for comes with the rest. */
function BoxButton({ node, press, ...rest }: BoxData & ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type="button"
      className="topology-box"
      style={{ width: NODE_WIDTH, height: NODE_HEIGHT }}
      onClick={({ detail }) => press(node.id, detail)}
    >
      <strong title={node.title}>{node.title}</strong>
      <span className="topology-what">
        <span title={node.subtitle}>{node.subtitle}</span>
        {node.state && <StateMark state={node.state} />}
      </span>
    </button>
  );
}

/** What the diagram only shows. */
function PlainBox({ node: { title, subtitle } }: Pick<BoxData, 'node'>) {
  return (
    <div className="topology-box" data-plain style={{ width: NODE_WIDTH, height: NODE_HEIGHT }}>
      <strong title={title}>{title}</strong>
      <span className="topology-what">{subtitle}</span>
    </div>
  );
}

function Box({ data: { node, press } }: NodeProps<Node<BoxData>>) {
  const box = node.isPlain ? <PlainBox node={node} /> : <BoxButton node={node} press={press} />;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {node.state ? <StateTip state={node.state}>{box}</StateTip> : box}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}
const nodeTypes = { box: Box };

function toEdge({ from, to, label, isMoving }: TopologyEdge): Edge {
  return {
    id: `${from} ${to}`,
    source: from,
    target: to,
    label,
    animated: isMoving,
    focusable: false,
    markerEnd: { type: MarkerType.ArrowClosed },
  };
}

/** Boxes follow what the page says of them; where the viewer has put one, it stays. */
function useBoxes(nodes: readonly TopologyNode[], edges: readonly TopologyEdge[], press: BoxData['press']) {
  const [boxes, setBoxes, onBoxesChange] = useNodesState<Node<BoxData>>([]);
  const shape = JSON.stringify([nodes.map(({ id }) => id), edges.map(({ from, to }) => [from, to])]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the places change with the shape alone
  const places = useMemo(() => placeNodes(nodes, edges), [shape]);
  useEffect(() => {
    setBoxes((before) => {
      const moved = new Map(before.map((box) => [box.id, box.position]));
      return nodes.map((node) => ({
        id: node.id,
        type: 'box',
        position: moved.get(node.id) ?? places.get(node.id) ?? { x: 0, y: 0 },
        data: { node, press },
        focusable: false,
      }));
    });
  }, [nodes, places, press, setBoxes]);
  return { boxes, onBoxesChange, shape };
}

function ZoomButtons({ zoomBy }: { zoomBy: (steps: number) => void }) {
  const { t } = useTranslation();
  const { zoom } = useViewport();
  const { fitView } = useReactFlow();
  return (
    <Panel position="bottom-right">
      <Space.Compact>
        <Button
          icon={<MinusOutlined />}
          aria-label={t('topology.farther')}
          disabled={zoom <= ZOOM.least}
          onClick={() => zoomBy(-1)}
        />
        <Button aria-label={t('topology.fit')} icon={<CompressOutlined />} onClick={() => fitView()} />
        <Button
          icon={<PlusOutlined />}
          aria-label={t('topology.nearer')}
          disabled={zoom >= ZOOM.most}
          onClick={() => zoomBy(1)}
        />
      </Space.Compact>
      <output className="topology-zoom">{Math.round(zoom * 100)}%</output>
    </Panel>
  );
}

function Flow({ label, nodes, edges, onClick, onDoubleClick, height = 360 }: TopologyProps) {
  const area = useRef<HTMLElement>(null);
  const press = useClicks(onClick, onDoubleClick);
  const { boxes, onBoxesChange, shape } = useBoxes(nodes, edges, press);
  const { zoomTo, getZoom, fitView } = useReactFlow();
  const lines = useMemo(() => edges.map(toEdge), [edges]);
  const room = useStore((store) => `${store.width} × ${store.height}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another shape or another area needs another view
  useEffect(() => {
    const frame = requestAnimationFrame(() => fitView({ maxZoom: 1 }));
    return () => cancelAnimationFrame(frame);
  }, [shape, fitView, boxes.length, room]);
  useEffect(() => {
    const element = area.current;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      zoomTo(zoomed(getZoom(), event.deltaY < 0 ? 1 : -1));
    };
    // React listens to wheels passively, so the page would scroll as well.
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, [zoomTo, getZoom]);
  return (
    <figure ref={area} className="topology" aria-label={label} style={{ height }}>
      <ReactFlow
        nodes={boxes}
        edges={lines}
        nodeTypes={nodeTypes}
        onNodesChange={onBoxesChange}
        minZoom={ZOOM.least}
        maxZoom={ZOOM.most}
        nodeDragThreshold={DRAG_THRESHOLD}
        nodeClickDistance={DRAG_THRESHOLD}
        paneClickDistance={DRAG_THRESHOLD}
        nodesConnectable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        disableKeyboardA11y
        proOptions={{ hideAttribution: true }}
      >
        <ZoomButtons zoomBy={(steps) => zoomTo(zoomed(getZoom(), steps))} />
      </ReactFlow>
    </figure>
  );
}

export default function Diagram(props: TopologyProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}
