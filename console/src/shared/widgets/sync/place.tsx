import './sync.css';

interface Connection {
  kind: string;
  host: string;
  port: number;
  database: string;
}

/** Makers' names, the same in every language. */
const kindNames: Record<string, string> = { postgresql: 'PostgreSQL', mysql: 'MySQL' };

/** What a type of database is called by its makers. */
export function kindName(kind: string): string {
  return kindNames[kind] ?? kind;
}

function server({ kind, host, port }: Connection): string {
  return `${kindName(kind)} ${host}:${port}`;
}

/** The same as plain text. */
export function placeText(connection: Connection): string {
  return `${connection.database} · ${server(connection)}`;
}

/** Where a database is: first its name, which tells it from the others where there is no room for all. */
export function Place({ connection }: { connection: Connection }) {
  return (
    <span title={placeText(connection)}>
      <strong>{connection.database}</strong> <span className="sync-server">{server(connection)}</span>
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
      <strong>{source.database}</strong> → <strong>{target.database}</strong>{' '}
      <span className="sync-server">{servers.join(' → ')}</span>
    </span>
  );
}
