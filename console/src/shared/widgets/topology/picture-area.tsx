import { useCallback, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useElementSize } from '@/shared/hooks/use-element-size';
import { Topology } from '.';
import type { Picture } from './picture';
import './picture-area.css';

/** A picture as large as the room that is left; a click on a box opens its page. */
export function PictureArea({ picture, label }: { picture: Picture; label: string }) {
  const navigate = useNavigate();
  const area = useRef<HTMLDivElement>(null);
  const { height } = useElementSize(area);
  const { nodes, edges, pageOf } = picture;
  const open = useCallback(
    (id: string) => {
      const page = pageOf.get(id);
      if (page) navigate(page);
    },
    [pageOf, navigate],
  );
  return (
    <div ref={area} className="picture-area">
      {height > 0 && <Topology label={label} nodes={nodes} edges={edges} onClick={open} height={height} />}
    </div>
  );
}
