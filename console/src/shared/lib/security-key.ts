/** The browser's part of WebAuthn: it finds the security key and asks for a touch. */

/** Why no key answered: none was touched in time, it is registered already, the page's address is another one than the
 * platform's, or the browser knows no keys. */
export type KeyFailureKind = 'untouched' | 'known' | 'address' | 'browser';

export class KeyFailure extends Error {
  constructor(readonly kind: KeyFailureKind) {
    super(kind);
    this.name = 'KeyFailure';
  }
}

const kinds: Readonly<Record<string, KeyFailureKind>> = {
  InvalidStateError: 'known',
  SecurityError: 'address',
  NotSupportedError: 'browser',
};

/** The answer of a key that is registered now, as JSON. `options` come from the server. */
export function registerKey<Answer>(options: unknown): Promise<Answer> {
  return answered<Answer>(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
}

/** The answer of one of the keys that `options` name, as JSON. */
export function signWithKey<Answer>(options: unknown): Promise<Answer> {
  return answered<Answer>(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
}

async function answered<Answer>(ask: () => Promise<Credential | null>): Promise<Answer> {
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) throw new KeyFailure('browser');
  try {
    return ((await ask()) as PublicKeyCredential).toJSON() as Answer;
  } catch (error) {
    throw new KeyFailure(kinds[(error as DOMException).name] ?? 'untouched');
  }
}
