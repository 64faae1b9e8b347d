import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Issuer } from './issuer';
import { outputOf, Program } from './programs';

const START_SECONDS = 180;

export interface PlatformOptions {
  /** Whether signing in asks for the picture's digits. */
  captcha?: boolean;
  /** The administrator's password; without one the platform makes one that must be changed at the first sign-in. */
  password?: string;
  /** Days until the registration ends; null: it has no code. */
  registeredDays?: number | null;
  /** Whether browsers reach it by a name (`localhost`), its public address: security keys know no digits. */
  isNamed?: boolean;
  /** Further settings, by their full names. */
  settings?: Readonly<Record<string, string>>;
}

/** Puts a registration code into a data folder; answers the key that it is checked with. */
function register(folder: string, days: number): string {
  const issuer = new Issuer();
  writeFileSync(join(folder, 'registration'), issuer.code(days));
  return issuer.publicKey;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** A real platform (control plane, agent, workers) in a folder of its own. */
export class Platform {
  private readonly hosts: Program[] = [];

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly program: Program,
  ) {}

  /** The folder of the agent in which the first tenant's files may be used as data sources. */
  get files(): string {
    return join(this.folder, 'files', 'default');
  }

  static async start({
    captcha = false,
    password,
    registeredDays = 365,
    isNamed = false,
    settings = {},
  }: PlatformOptions = {}): Promise<Platform> {
    const folder = mkdtempSync(join(tmpdir(), 'zcbus-e2e-'));
    const port = await freePort();
    const url = `http://${isNamed ? 'localhost' : '127.0.0.1'}:${port}`;
    const program = Program.start(['zcbus', 'serve'], {
      ZCBUS_DATA_DIR: folder,
      ZCBUS_HOST: '127.0.0.1',
      ZCBUS_PORT: String(port),
      ZCBUS_LOGIN_CAPTCHA: captcha ? 'on' : 'off',
      ZCBUS_DEMO: '0',
      ZCBUS_REGISTRATION_KEY: registeredDays === null ? '' : register(folder, registeredDays),
      ...(password ? { ZCBUS_ADMIN_PASSWORD: password } : {}),
      ...(isNamed ? { ZCBUS_PUBLIC_ADDRESS: url } : {}),
      ...settings,
    });
    const platform = new Platform(url, folder, program);
    await platform.untilReady();
    return platform;
  }

  /** The password made at the first start, for the administrator's first sign-in. */
  initialPassword(): string {
    return readFileSync(join(this.folder, 'initial-password'), 'utf8').trim();
  }

  /** What a captcha's picture shows, or how far its piece must slide. */
  async captchaAnswer(kind: 'digits' | 'slide', uuid: string): Promise<string> {
    return (await this.askStore('captcha', kind, uuid)).trim();
  }

  /** Whether deleting asks for a picture's digits. */
  async askBeforeDeleting(isWanted: boolean): Promise<void> {
    await this.askStore('delete-code', String(isWanted));
  }

  /** Makes an ordinary account, or a remote client's. */
  async addAccount(name: string, kind: 'member' | 'remote' = 'member'): Promise<void> {
    await this.askStore('account', name, kind);
  }

  /** What a call answers to the platform's own program. */
  async call<Answer>(path: string, body: object): Promise<Answer> {
    const token = readFileSync(join(this.folder, 'local-token'), 'utf8').trim();
    const answer = await fetch(`${this.url}/api/zcbus/${path}`, {
      method: 'POST',
      headers: { 'ZCBUS-TOKEN': token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { code, message, data } = await answer.json();
    if (code !== 200) throw new Error(`${path}: ${message}`);
    return data;
  }

  /** Lets sign-ins that come from below this address go back there. */
  async takeFrom(address: string): Promise<void> {
    await this.call('bus-sys-parameter/update', { variableName: 'source_addresses', value: [address] });
  }

  /** Lengthens the operation log; every 50th of its operations failed. */
  async addRecords(count: number): Promise<void> {
    await this.askStore('records', String(count));
  }

  private async askStore(...what: string[]): Promise<string> {
    return outputOf(['store', join(this.folder, 'zcbus.db'), ...what]);
  }

  /** Applies a link as code (JSON is YAML) with the platform's own program, and waits until it runs. */
  async applyLink(document: object): Promise<void> {
    const file = join(this.folder, 'link.json');
    writeFileSync(file, JSON.stringify(document));
    const wait = ['--wait', 'incremental-running', '--timeout', '60'];
    await outputOf(['zcbus', 'link', 'apply', file, ...wait], {
      ZCBUS_DATA_DIR: this.folder,
      ZCBUS_PORT: new URL(this.url).port,
    });
  }

  /** Runs the command that joins a host, as on a host of its own; it ends with the platform. */
  runHost(command: string): void {
    const [program, ...options] = command.trim().split(' ');
    if (program !== 'zcbus') throw new Error(`Not our program: ${command}`);
    const folder = join(this.folder, `host-${this.hosts.length}`);
    this.hosts.push(Program.start([program, ...options], { ZCBUS_DATA_DIR: folder }));
  }

  /** Ends the hosts that joined by `runHost`. */
  async stopHosts(): Promise<void> {
    for (const host of this.hosts) await host.stop();
  }

  async stop(): Promise<void> {
    await this.stopHosts();
    await this.program.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async untilReady(): Promise<void> {
    const deadline = Date.now() + START_SECONDS * 1000;
    while (Date.now() < deadline && !this.program.hasEnded) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await pause(100);
    }
    await this.stop();
    throw new Error(`The platform did not start: ${this.program.output}`);
  }
}
