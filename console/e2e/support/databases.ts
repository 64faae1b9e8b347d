import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { checkout, python } from './checkout';

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
export class Databases {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: Interface;
  private turn: Promise<unknown> = Promise.resolve();
  private complaints = '';

  constructor() {
    this.child = spawn(python, ['-m', 'console.e2e.support.databases'], { cwd: checkout });
    this.child.stderr.on('data', (chunk) => {
      this.complaints += chunk;
    });
    this.lines = createInterface(this.child.stdout);
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

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin.end();
    await ended;
  }

  private ask<Answer>(request: object): Promise<Answer> {
    const answer = this.turn.then(() => this.exchange<Answer>(request));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  private exchange<Answer>(request: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error(`The databases' helper has ended: ${this.complaints}`));
      this.child.once('exit', onExit);
      this.lines.once('line', (line) => {
        this.child.off('exit', onExit);
        const { answer, error } = JSON.parse(line) as { answer: Answer; error?: string };
        if (error) reject(new Error(error));
        else resolve(answer);
      });
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }
}
