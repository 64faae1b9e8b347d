import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { checkout, python } from './checkout';

export const SSH = { user: 'operator', password: 'Let-me-in-1' } as const;

/** A host with a shell that repeats lines and knows its size. */
export class SshHost {
  private constructor(
    readonly port: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<SshHost> {
    const child = spawn(python, ['-m', 'tests.servers.ssh'], {
      cwd: checkout,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('The host has no output');
    for await (const port of createInterface({ input: child.stdout })) return new SshHost(port, child);
    throw new Error('The host did not start');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await ended;
  }
}
