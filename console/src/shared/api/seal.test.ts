import { createDecipheriv, createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { seal } from './seal';
import { holdsSecret, withSealedBody } from './secret-calls';

// The platform's side, in Node's own cryptography: it shares no code with what it checks.
const RAW_TO_SPKI = Buffer.from('302a300506032b656e032100', 'hex');
const RAW_TO_PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex');

const privateKey = createPrivateKey({
  key: Buffer.concat([RAW_TO_PKCS8, Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
});
const rawPublicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
const key = { kid: 'k1', publicKey: rawPublicKey.toString('base64') };

function open(sealed: { epk: string; iv: string; ct: string }, context: string): string {
  const publicKey = createPublicKey({
    key: Buffer.concat([RAW_TO_SPKI, Buffer.from(sealed.epk, 'base64')]),
    format: 'der',
    type: 'spki',
  });
  const shared = diffieHellman({ privateKey, publicKey });
  const contentKey = Buffer.from(hkdfSync('sha256', shared, '', 'zcbus-body', 32));
  const bytes = Buffer.from(sealed.ct, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', contentKey, Buffer.from(sealed.iv, 'base64'));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}

it('the platform opens what was sealed for this call', () => {
  const body = JSON.stringify({ userName: '管理员', password: 'pässwörd'.repeat(100) });
  const sealed = seal(key, 'POST', '/api/zcbus/x', body);
  expect(sealed.kid).toBe('k1');
  expect(open(sealed, 'POST|/api/zcbus/x')).toBe(body);
});

it('it opens for no other call, and no two are equal', () => {
  const sealed = seal(key, 'POST', '/a', '{}');
  expect(() => open(sealed, 'POST|/b')).toThrow();
  expect(seal(key, 'POST', '/a', '{}')).not.toEqual(sealed);
});

it('bodies that may hold a password are sealed, others are left alone', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ code: 200, data: key }))),
  );
  const path = '/api/zcbus/sys/authentication/login';
  const plain = new Request(`http://localhost${path}`, {
    method: 'POST',
    body: '{"password":"open"}',
    headers: { env: 'zh' },
  });
  const sealed = await withSealedBody(plain, {});
  expect(sealed.headers.get('Content-Type')).toBe('application/zcbus+json');
  expect(sealed.headers.get('env')).toBe('zh');
  expect(open(await sealed.json(), `POST|${path}`)).toBe('{"password":"open"}');

  const harmless = new Request('http://localhost/api/zcbus/sync/link/page', { method: 'POST', body: '{}' });
  expect(await withSealedBody(harmless, {})).toBe(harmless);
  vi.unstubAllGlobals();
});

it('knows the calls with a database password in them', () => {
  expect(holdsSecret('/api/zcbus/dynamic/datasource/test-db-parameter')).toBe(true);
  expect(holdsSecret('/api/zcbus/sync/link/apply')).toBe(true);
  expect(holdsSecret('/api/zcbus/sync/link/page')).toBe(false);
});

interface Shape {
  $ref?: string;
  properties?: Record<string, Shape>;
  [part: string]: unknown;
}

const SECRET = /password|secret/i;
/** They take further fields by the kind of the database, its password among them. */
const CONNECTIONS = ['ConnectionInput', 'ConnectionChoice'];
/** Programs make it, not the console. */
const NOT_OF_THE_CONSOLE = ['/api/zcbus/agent/join'];

/** Whether a request's schema, or one that it refers to, has a field with a secret. */
function takesSecret(shape: Shape, schemas: Record<string, Shape>, seen = new Set<string>()): boolean {
  const name = shape.$ref?.split('/').at(-1);
  if (name !== undefined) {
    if (seen.has(name)) return false;
    seen.add(name);
    return CONNECTIONS.includes(name) || takesSecret(schemas[name] ?? {}, schemas, seen);
  }
  if (Object.keys(shape.properties ?? {}).some((property) => SECRET.test(property))) return true;
  const parts = [
    ...Object.values(shape.properties ?? {}),
    ...['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'].flatMap((key) => shape[key] ?? []),
  ];
  return parts.some((part) => takesSecret(part as Shape, schemas, seen));
}

it('no call with a secret field leaves the browser in clear', () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'openapi.json');
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8'));
  type Call = { requestBody?: { content: Record<string, { schema: Shape }> } };
  const secret = Object.entries(paths as Record<string, Record<string, Call>>)
    .filter(([, calls]) =>
      Object.values(calls).some(({ requestBody }) =>
        Object.values(requestBody?.content ?? {}).some(({ schema }) =>
          takesSecret(schema, components.schemas),
        ),
      ),
    )
    .map(([path]) => path)
    .filter((path) => !NOT_OF_THE_CONSOLE.includes(path));
  expect(secret.length).toBeGreaterThan(20);
  expect(secret.filter((path) => !holdsSecret(path))).toEqual([]);
});
