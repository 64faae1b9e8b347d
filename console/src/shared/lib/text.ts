const EMPTY_WORDS = new Set(['', 'null', '[]', '{}', 'undefined']);
const CHINESE = /\p{Script=Han}/gu;
const ADDRESS = /^(https?:|mailto:|tel:)/i;

/** Characters that a table's cell shows of a text before it is cut. */
export const ELLIPSIS_LENGTH = 25;

/** Whether a value says nothing: missing, blank, or one of the words that careless senders write for nothing. */
export function isEmptyText(value: string | null | undefined): boolean {
  return EMPTY_WORDS.has((value ?? '').trim());
}

/** Whether a text begins with something else than a letter of any script, a digit or an underscore. */
export function startsWithSymbol(text: string): boolean {
  return /^[^\p{L}\p{N}_]/u.test(text);
}

/** The text without its Chinese characters; phone and mail fields take none. */
export function stripChinese(text: string): string {
  return text.replace(CHINESE, '');
}

/** The text without any white space, inside as well as around. */
export function stripWhitespace(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Whether a text is an address that leads out of the console: http, https, mailto or tel. */
export function isExternalAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** The text, cut behind `length` characters. Characters are counted as people see them, so none is cut in two. */
export function ellipsis(text: string, length = ELLIPSIS_LENGTH): string {
  // Most texts are short enough by any count, and taking one apart costs more than drawing it.
  if (text.length <= length) return text;
  const characters = [...new Intl.Segmenter().segment(text)];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length).map(({ segment }) => segment);
  return `${cut.join('')}…`;
}
