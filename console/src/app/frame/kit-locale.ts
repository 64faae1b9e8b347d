import dayjs from 'dayjs';
import { use } from 'react';
import { currentLocale } from '@/shared/i18n/locale';
import { fetchKitWords } from './kit-words';

async function load() {
  const locale = currentLocale();
  const words = await fetchKitWords(locale);
  dayjs.locale(locale === 'zh' ? 'zh-cn' : 'en');
  return words;
}

let loading: ReturnType<typeof load> | undefined;

/** The kit's own texts in the viewer's language. */
export function loadKitLocale(): ReturnType<typeof load> {
  loading ??= load();
  return loading;
}

/** The same; suspends until they are there. */
export function useKitLocale(): Awaited<ReturnType<typeof load>> {
  return use(loadKitLocale());
}
