import { generateKeyPairSync, sign } from 'node:crypto';

const DAY = 24 * 60 * 60 * 1000;
const RAW_KEY_BYTES = 32;

/** Who issues registration codes. */
export class Issuer {
  private readonly keys = generateKeyPairSync('ed25519');

  /** What an installation checks the codes with. */
  get publicKey(): string {
    return this.keys.publicKey
      .export({ type: 'spki', format: 'der' })
      .subarray(-RAW_KEY_BYTES)
      .toString('base64');
  }

  /** A code that ends in so many days. */
  code(days: number): string {
    const registration = {
      holder: 'Browser tests',
      endTime: new Date(Date.now() + days * DAY),
      maxTables: 10,
    };
    const payload = Buffer.from(JSON.stringify(registration));
    const parts = [payload, sign(null, payload, this.keys.privateKey)];
    const urlSafe = (part: Buffer) => part.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    return parts.map(urlSafe).join('.');
  }
}
