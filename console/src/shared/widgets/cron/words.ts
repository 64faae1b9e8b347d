import type { Locale } from '@/shared/i18n/locale';

/** What an expression means, in the language of the console. The words are loaded with the first helper shown. */
export async function describeCron(expression: string, locale: Locale): Promise<string> {
  const [{ default: cronstrue }] = await Promise.all([
    import('cronstrue'),
    locale === 'zh' ? import('cronstrue/locales/zh_CN.js') : undefined,
  ]);
  return cronstrue.toString(expression, {
    locale: locale === 'zh' ? 'zh_CN' : 'en',
    use24HourTimeFormat: true,
  });
}
