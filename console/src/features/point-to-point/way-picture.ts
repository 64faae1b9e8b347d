import type { WayRecord } from '@/shared/api';
import { duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { placeText, server } from '@/shared/widgets/sync/place';
import { Drawing, type Picture } from '@/shared/widgets/topology/picture';

type Place = WayRecord['source'];

/** A database that is read and written is two boxes, so that everything runs from left to right. */
function database(drawing: Drawing, side: 'from' | 'to', place: Place, page: string): string {
  const id = `${side} ${placeText(place)}`;
  return drawing.box({ id, title: place.place.title, subtitle: server(place) }, page);
}

/** The way itself as a box: its name, its tables, how its heartbeat goes. */
function drawWay(drawing: Drawing, way: WayRecord, tables: (count: number) => string): void {
  const page = paths.syncLink(way.linkId);
  const isMoving = (way.rowsPerSecond ?? 0) > 0;
  const from = database(drawing, 'from', way.source, page);
  const to = database(drawing, 'to', way.target, page);
  const middle = drawing.box(
    { id: way.id, title: way.name, subtitle: tables(way.tables), state: way.state },
    page,
  );
  drawing.line({ from, to: middle, label: way.lagMs === null ? undefined : duration(way.lagMs), isMoving });
  drawing.line({ from: middle, to, label: isMoving ? rate(way.rowsPerSecond) : undefined, isMoving });
}

/** Direct links among databases: a line shows the lag and the rows per second. */
export function wayPicture(ways: readonly WayRecord[], tables: (count: number) => string): Picture {
  const drawing = new Drawing();
  for (const way of ways) drawWay(drawing, way, tables);
  return drawing;
}
