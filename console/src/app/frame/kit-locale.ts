import type { ConfigProviderProps } from 'antd';
import dayjs from 'dayjs';
import { use } from 'react';
import { currentLocale } from '@/shared/i18n/locale';

type KitLocale = NonNullable<ConfigProviderProps['locale']>;

async function load(): Promise<KitLocale> {
  if (currentLocale() === 'en') return (await import('antd/locale/en_US')).default;
  const [kit] = await Promise.all([import('antd/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
  dayjs.locale('zh-cn');
  return kit.default;
}

let loading: Promise<KitLocale> | undefined;

/** The kit's own texts in the viewer's language. */
export function loadKitLocale(): Promise<KitLocale> {
  loading ??= load();
  return loading;
}

/** The same; suspends until they are there. */
export function useKitLocale(): KitLocale {
  return use(loadKitLocale());
}
