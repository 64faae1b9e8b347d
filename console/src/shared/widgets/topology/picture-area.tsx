import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useElementSize } from '@/shared/hooks/use-element-size';
import { Topology } from '.';
import type { Picture } from './picture';
import './picture-area.css';

const MetricsDrawer = lazy(() => import('../metrics/metrics-drawer'));

/** A picture as large as the room that is left; a click on a box opens its metrics or its page. */
export function PictureArea({ picture, label }: { picture: Picture; label: string }) {
  const navigate = useNavigate();
  const area = useRef<HTMLDivElement>(null);
  const { height } = useElementSize(area);
  const { nodes, edges, pageOf, metricsOf } = picture;
  const [measured, setMeasured] = useState('');
  const metrics = metricsOf?.get(measured);
  const open = useCallback(
    (id: string) => {
      const page = pageOf.get(id);
      if (metricsOf?.has(id)) setMeasured(id);
      else if (page) navigate(page);
    },
    [pageOf, metricsOf, navigate],
  );
  return (
    <div ref={area} className="picture-area">
      {height > 0 && <Topology label={label} nodes={nodes} edges={edges} onClick={open} height={height} />}
      <Suspense fallback={null}>
        {metrics && (
          <MetricsDrawer {...metrics} page={pageOf.get(measured)} onClose={() => setMeasured('')} />
        )}
      </Suspense>
    </div>
  );
}
