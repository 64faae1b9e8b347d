import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { checkout, python } from './checkout';

/** A real OpenLDAP server with one person. */
export class Directory {
  private constructor(
    /** Settings of a platform that takes its passwords. */
    readonly settings: Record<string, string>,
    private readonly child: ChildProcess,
  ) {}

  /** Undefined where the server's program is missing. */
  static async start(name: string, password: string): Promise<Directory | undefined> {
    const child = spawn(python, ['-m', 'tests.servers.openldap', name, password], {
      cwd: checkout,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('The directory has no output');
    for await (const settings of createInterface({ input: child.stdout }))
      return new Directory(JSON.parse(settings), child);
    return undefined;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    // It ends with its standard input, and takes the server along.
    this.child.stdin?.end();
    await ended;
  }
}
