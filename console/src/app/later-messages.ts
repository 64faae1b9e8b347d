/** What a file of messages exports. */
export type Messages = { default: object };

/** Where the messages of each feature are, but for those that come with the first render (see `messages.ts`). */
export const files = import.meta.glob<Messages>([
  '../features/*/locales/*.json',
  '../shared/i18n/locales/*/*.json',
  '!../features/{alert,home,sign-in}/locales/*.json',
  '!../shared/i18n/locales/*/{common,machine,sync}.json',
]);
