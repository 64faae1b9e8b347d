import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout, python } from './checkout';

/** Names the socket to the tests' workers. */
const ADDRESS = 'ZCBUS_BROWSER_TESTS_PROGRAMS';

type Environment = Readonly<Record<string, string>>;

/** Loads, once for all tests, what the programs need (programs.py). Answers what ends it. */
export default async function start(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'zcbus-programs-'));
  process.env[ADDRESS] = join(folder, 'socket');
  const child = spawn(python, ['-m', 'console.e2e.support.programs', process.env[ADDRESS]], {
    cwd: checkout,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await untilReady(child);
  return async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', () => reject(new Error('The programs of the browser tests cannot be started')));
  });
}

/** What follows a program's output. */
const ENDED = /exit (-?\d+)\n$/;

/** A running program: `zcbus`, or `store` of this folder, with its arguments. */
export class Program {
  /** The program's own, and standard errors. */
  output = '';
  private code: number | undefined;
  private readonly ended: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += chunk;
    });
    socket.once('error', (error) => {
      this.output += error;
    });
    this.ended = new Promise((resolve) => socket.once('close', resolve)).then(() => {
      // Without a code, what started it is gone.
      this.code = Number(ENDED.exec(this.output)?.[1] ?? -1);
      this.output = this.output.replace(ENDED, '');
    });
  }

  /** `environment`: variables over those of the tests. */
  static start(command: readonly string[], environment: Environment = {}): Program {
    const socket = connect(process.env[ADDRESS] ?? '');
    socket.write(`${JSON.stringify({ arguments: command, environment })}\n`);
    return new Program(socket);
  }

  get hasEnded(): boolean {
    return this.code !== undefined;
  }

  /** The exit code, once it has ended. */
  async wait(): Promise<number> {
    await this.ended;
    return this.code ?? -1;
  }

  /** Asks it to end, and waits until it has. */
  async stop(): Promise<void> {
    this.socket.end();
    await this.ended;
  }
}

/** What a program writes until it ends; throws where it fails. */
export async function outputOf(command: readonly string[], environment: Environment = {}): Promise<string> {
  const program = Program.start(command, environment);
  if ((await program.wait()) === 0) return program.output;
  throw new Error(`${command.join(' ')}: ${program.output}`);
}
