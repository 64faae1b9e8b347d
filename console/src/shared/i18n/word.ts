import i18n, { type ParseKeys } from 'i18next';

const known = new Map<string, string>();

/** A fixed text in every row of long tables: another lookup costs more than its cell. */
export function word(key: ParseKeys): string {
  const place = `${i18n.language} ${key}`;
  const found = known.get(place);
  if (found !== undefined) return found;
  const text = String(i18n.t(key));
  // Before its messages have come a key stands for itself.
  if (text !== key) known.set(place, text);
  return text;
}
