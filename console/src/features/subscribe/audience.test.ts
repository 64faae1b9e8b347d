import { expect, it } from 'vitest';
import english from '@/shared/i18n/locales/en/databus.json';
import streamEnglish from '@/shared/i18n/locales/en/stream-customer.json';
import chinese from '@/shared/i18n/locales/zh/databus.json';
import streamChinese from '@/shared/i18n/locales/zh/stream-customer.json';
import subscribeEnglish from './locales/en.json';
import subscribeChinese from './locales/zh.json';

function keys(tree: object): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [key] : keys(value).map((rest) => `${key}.${rest}`),
  );
}

it('others have other words only for what the pages say of subscribers', () => {
  for (const words of [chinese, streamChinese])
    expect(keys(subscribeChinese)).toEqual(expect.arrayContaining(keys(words)));
  for (const words of [english, streamEnglish])
    expect(keys(subscribeEnglish)).toEqual(expect.arrayContaining(keys(words)));
});
