import type { ConnectionRecord } from '@/shared/api';
import './sync.css';

type Connection = Pick<ConnectionRecord, 'place'>;

/** The product and where it is. */
export function server({ place: { product, address } }: Connection): string {
  return address === '' ? product : `${product} ${address}`;
}

/** The same as plain text. */
export function placeText(connection: Connection): string {
  return `${connection.place.title} · ${server(connection)}`;
}

/** Where a database is: first its name, which identifies it where the column is narrow. */
export function Place({ connection }: { connection: Connection }) {
  return (
    <span title={placeText(connection)}>
      <strong>{connection.place.title}</strong> <span className="sync-server">{server(connection)}</span>
    </span>
  );
}

interface Ends {
  source: Connection;
  target: Connection;
}

export function routeText({ source, target }: Ends): string {
  return `${placeText(source)} → ${placeText(target)}`;
}

/** From where to where: first both names, then the servers; one where they are the same. */
export function Route({ source, target }: Ends) {
  const servers = [...new Set([server(source), server(target)])];
  return (
    <span title={routeText({ source, target })}>
      <strong>{source.place.title}</strong> → <strong>{target.place.title}</strong>{' '}
      <span className="sync-server">{servers.join(' → ')}</span>
    </span>
  );
}
