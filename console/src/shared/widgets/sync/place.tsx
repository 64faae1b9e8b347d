interface Props {
  connection: { kind: string; host: string; port: number; database: string };
}

/** The same as plain text. */
export function placeText({ kind, host, port, database }: Props['connection']): string {
  return `${kind} ${host}:${port}/${database}`;
}

/** Where a database is: its kind, host and name. */
export function Place({ connection: { kind, host, port, database } }: Props) {
  const where = `${host}:${port}`;
  return (
    <span className="sync-place" title={`${kind} ${where} ${database}`}>
      <span className="sync-kind">{kind}</span> {where} / <strong>{database}</strong>
    </span>
  );
}
