import { Helper } from './helper';

/** Where tables are read from or written to that no server of SQL has. */
export type PlaceKind = 'duckdb' | 'sqlite' | 'delta' | 'csv' | 'nats' | 'redis' | 'http';

/** What the form of a connection is filled with. */
export interface Facts {
  port?: number;
  /** Of the service, without the part that is a test's own. */
  url?: string;
  definition?: string;
}

/** Places of files, and real servers of this test run, private and temporary; started when first asked for. */
export class Places extends Helper {
  constructor() {
    super('places');
  }

  /** `name`: what the test calls its own part of the place. */
  prepare(kind: PlaceKind, name: string): Promise<Facts> {
    return this.ask({ do: 'prepare', kind, name });
  }

  /** Id and name of the rows of the table `orders`, by id, read without the platform. `path`: of a place of files. */
  rows(kind: PlaceKind, name: string, path: string): Promise<[number, string][]> {
    return this.ask({ do: 'rows', kind, name, path });
  }

  /** Runs statements on a file of SQLite, which is created where it is missing. */
  execute(path: string, sql: string): Promise<null> {
    return this.ask({ do: 'execute', path, sql });
  }

  /** Writes a workbook of one sheet, whole at once. */
  writeSheet(path: string, rows: readonly (readonly (string | number)[])[]): Promise<null> {
    return this.ask({ do: 'sheet', path, rows });
  }
}
