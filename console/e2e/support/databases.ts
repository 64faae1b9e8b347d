import { Helper } from './helper';

export type Kind = 'postgresql' | 'mysql';

export interface Server {
  kind: Kind;
  host: string;
  port: number;
  user: string;
  password: string;
}

type Row = unknown[];

/** Real database servers of this test run, private and temporary; started when first asked for. */
export class Databases extends Helper {
  constructor() {
    super('databases');
  }

  start(kind: Kind): Promise<Server> {
    return this.ask({ do: 'start', kind });
  }

  /** Creates an empty database; answers its name. */
  create(kind: Kind, prefix: string): Promise<string> {
    return this.ask({ do: 'create', kind, prefix });
  }

  execute(kind: Kind, database: string, sql: string): Promise<null> {
    return this.ask({ do: 'execute', kind, database, sql });
  }

  rows(kind: Kind, database: string, sql: string): Promise<Row[]> {
    return this.ask({ do: 'rows', kind, database, sql });
  }

  /** Runs SQL in a transaction that keeps its locks until it is released. */
  hold(kind: Kind, database: string, sql: string): Promise<null> {
    return this.ask({ do: 'hold', kind, database, sql });
  }

  /** Gives up everything that is held. */
  release(kind: Kind): Promise<null> {
    return this.ask({ do: 'release', kind });
  }
}
