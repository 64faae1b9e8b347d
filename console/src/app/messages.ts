import { customTexts, withCustom } from '@/shared/i18n/custom-texts';
import type { Locale } from '@/shared/i18n/locale';

type Messages = { default: object };

const files = import.meta.glob<Messages>([
  '../features/*/locales/*.json',
  '../shared/i18n/locales/*/*.json',
  // These come together, see below.
  '!../features/{alert,home}/locales/*.json',
  '!../shared/i18n/locales/*/{machine,sync}.json',
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
 * The messages of one namespace in one language, with the operator's custom texts; undefined when there are none. A file
 * is fetched once.
 */
export function loadMessages(locale: Locale, namespace: string): Promise<object> | undefined {
  const shipped = shippedMessages(locale, namespace);
  return (
    shipped &&
    Promise.all([shipped, customTexts()]).then(([texts, custom]) => withCustom(texts, custom[namespace]))
  );
}

function shippedMessages(locale: Locale, namespace: string): Promise<object> | undefined {
  if (isInFrame(namespace)) return inFrame[locale]().then(({ words }) => words[namespace]);
  const load =
    files[`../features/${namespace}/locales/${locale}.json`] ??
    files[`../shared/i18n/locales/${locale}/${namespace}.json`];
  return load?.().then((module) => module.default);
}
