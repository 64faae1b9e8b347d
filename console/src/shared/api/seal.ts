import { gcm } from '@noble/ciphers/aes.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

/** What an encrypted body looks like on the wire; all but `kid` in base64. */
export interface SealedBody {
  kid: string;
  epk: string;
  iv: string;
  ct: string;
}

export interface PlatformKey {
  kid: string;
  publicKey: string;
}

const INFO = new TextEncoder().encode('zcbus-body');
const KEY_BYTES = 32;
const IV_BYTES = 12;

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/**
 * Encrypts a body for this platform and for one call (method and path) only: X25519, HKDF-SHA256, AES-256-GCM. Made
 * without the browser's own cryptography, which is absent on plain http, where it is needed most.
 */
export function seal(key: PlatformKey, method: string, path: string, body: string): SealedBody {
  const own = x25519.keygen();
  const shared = x25519.getSharedSecret(own.secretKey, fromBase64(key.publicKey));
  const contentKey = hkdf(sha256, shared, undefined, INFO, KEY_BYTES);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder();
  const cipher = gcm(contentKey, iv, text.encode(`${method}|${path}`));
  return {
    kid: key.kid,
    epk: toBase64(own.publicKey),
    iv: toBase64(iv),
    ct: toBase64(cipher.encrypt(text.encode(body))),
  };
}
