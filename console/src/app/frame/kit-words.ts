import type { ConfigProviderProps } from 'antd';
import type { Locale } from '@/shared/i18n/locale';

type KitLocale = NonNullable<ConfigProviderProps['locale']>;

/** The kit's own texts, and with them those of its dates. Each file is fetched once. */
export async function fetchKitWords(locale: Locale): Promise<KitLocale> {
  if (locale === 'en') return (await import('antd/locale/en_US')).default;
  const [kit] = await Promise.all([import('antd/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
  return kit.default;
}
