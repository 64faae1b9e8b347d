import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { checkout, python } from './checkout';

/** The tests' own identity provider: OpenID Connect and CAS, real in everything the platform checks. */
export class IdentityProvider {
  private constructor(
    readonly address: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<IdentityProvider> {
    const child = spawn(python, ['-m', 'tests.support.identity_provider'], {
      cwd: checkout,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('The identity provider has no output');
    for await (const address of createInterface({ input: child.stdout }))
      return new IdentityProvider(address, child);
    throw new Error('The identity provider did not start');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}
