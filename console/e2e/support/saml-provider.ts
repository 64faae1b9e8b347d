import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { checkout, python } from './checkout';

/** A real identity provider of SAML 2.0, where anybody may sign in under any name. */
export class SamlProvider {
  private constructor(
    private readonly address: string,
    /** Settings of a platform whose users sign in there. */
    readonly settings: Record<string, string>,
    private readonly child: ChildProcess,
  ) {}

  /** Undefined where a program that it needs is missing. */
  static async start(name: string): Promise<SamlProvider | undefined> {
    const child = spawn(python, ['-m', 'tests.servers.saml_idp'], {
      cwd: checkout,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('The identity provider has no output');
    for await (const address of createInterface({ input: child.stdout })) {
      const metadata = await (await fetch(`${address}/metadata`)).text();
      const settings = { ZCBUS_SAML_METADATA: metadata, ZCBUS_SAML_NAME: name };
      return new SamlProvider(address, settings, child);
    }
    return undefined;
  }

  /** Has it answer requests of this platform. */
  async trust(platform: string): Promise<void> {
    const answer = await fetch(`${platform}/api/zcbus/sys/authentication/saml/metadata`);
    await fetch(`${this.address}/trust`, { method: 'POST', body: await answer.text() });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await ended;
  }
}
