import type { Locale } from '@/shared/i18n/locale';

const texts = import.meta.glob<string>('./disclaimers/*.md', { query: '?raw', import: 'default' });

export async function loadDisclaimers(locale: Locale): Promise<string> {
  const text = texts[`./disclaimers/${locale}.md`];
  if (!text) throw new Error(`There are no disclaimers in ${locale}`);
  return text();
}
