import { callHeaders } from '@/shared/api/headers';
import { currentToken } from '@/shared/api/token';

/** The operator's custom texts in the language in use, by namespace and key. */
export type CustomTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const OF_VIEWER = '/api/zcbus/common/texts/custom';
const OF_SIGN_IN = '/api/zcbus/common/texts/sign-in';
/** Milliseconds. Shipped texts are better than none: a server that does not answer must not keep the console from opening. */
const PATIENCE = 3000;

let known: CustomTexts = {};
const asked = new Map<string, Promise<CustomTexts>>();

/**
 * The custom texts that this viewer may read, asked for once for each session; none where the server does not answer in
 * time. Never rejects.
 */
export function customTexts(): Promise<CustomTexts> {
  const token = currentToken() ?? '';
  const found = asked.get(token) ?? fetchTexts(token !== '');
  asked.set(token, found);
  return found;
}

/** A custom text for what has no place among the messages; undefined where the shipped one is read. */
export function customText(namespace: string, key: string): string | undefined {
  return known[namespace]?.[key];
}

async function fetchTexts(isSignedIn: boolean): Promise<CustomTexts> {
  const viewers = isSignedIn ? await ask(OF_VIEWER) : undefined;
  // A session may be over: the pages before signing in have their texts all the same.
  known = viewers ?? (await ask(OF_SIGN_IN)) ?? {};
  return known;
}

async function ask(path: string): Promise<CustomTexts | undefined> {
  try {
    const answer = await fetch(path, { headers: callHeaders(), signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok ? (await answer.json()).data.texts : undefined;
  } catch {
    return undefined;
  }
}

/** Messages with the custom texts of their namespace in the place of theirs. */
export function withCustom(messages: object, custom: Readonly<Record<string, string>> = {}): object {
  return Object.entries(custom).reduce((tree, [key, text]) => replaced(tree, key.split('.'), text), messages);
}

function replaced(tree: object, [first = '', ...rest]: string[], text: string): object {
  const inner = (tree as Record<string, unknown>)[first];
  if (!Object.hasOwn(tree, first)) return tree;
  if (rest.length === 0) return typeof inner === 'string' ? { ...tree, [first]: text } : tree;
  return inner && typeof inner === 'object' ? { ...tree, [first]: replaced(inner, rest, text) } : tree;
}
