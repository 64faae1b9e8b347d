import { customTexts, withCustom } from '@/shared/i18n/custom-texts';
import type { Locale } from '@/shared/i18n/locale';
import type { Messages } from './later-messages';

/** Of the first render before signing in. Where all others are is fetched with the first of them. */
const files = import.meta.glob<Messages>([
  '../features/sign-in/locales/*.json',
  '../shared/i18n/locales/*/common.json',
]);

/** What the frame and its first page say is one file for each language: a request for each namespace would be six. */
const inFrame = {
  zh: () => import('./words/frame-zh'),
  en: () => import('./words/frame-en'),
};
const frameNamespaces = ['alert', 'frame', 'home', 'machine', 'sync'] as const;
type FrameNamespace = (typeof frameNamespaces)[number];

/** Namespaces of the first render, in addition to the common messages. */
export function firstNamespaces(isSignedIn: boolean): readonly string[] {
  return isSignedIn ? frameNamespaces : ['sign-in'];
}

const isInFrame = (namespace: string): namespace is FrameNamespace =>
  frameNamespaces.some((name) => name === namespace);

/**
 * The messages of one namespace in one language, with the operator's custom texts. A file is fetched once. Fails where
 * there are none.
 */
export async function loadMessages(locale: Locale, namespace: string): Promise<object> {
  const [texts, custom] = await Promise.all([shippedMessages(locale, namespace), customTexts()]);
  return withCustom(texts, custom[namespace]);
}

async function shippedMessages(locale: Locale, namespace: string): Promise<object> {
  if (isInFrame(namespace)) return (await inFrame[locale]()).words[namespace];
  const load = found(files, locale, namespace) ?? found((await laterFiles()).files, locale, namespace);
  if (!load) throw new Error(`No messages ${namespace} in ${locale}`);
  return (await load()).default;
}

const laterFiles = () => import('./later-messages');

function found(among: typeof files, locale: Locale, namespace: string) {
  return (
    among[`../features/${namespace}/locales/${locale}.json`] ??
    among[`../shared/i18n/locales/${locale}/${namespace}.json`]
  );
}
