import { expect, it } from 'vitest';
import english from '@/shared/i18n/locales/en/databus.json';
import chinese from '@/shared/i18n/locales/zh/databus.json';
import subscribeEnglish from './locales/en.json';
import subscribeChinese from './locales/zh.json';

function keys(tree: object): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [key] : keys(value).map((rest) => `${key}.${rest}`),
  );
}

it('processes have other words only for what the pages say of subscribers', () => {
  expect(keys(subscribeChinese)).toEqual(expect.arrayContaining(keys(chinese)));
  expect(keys(subscribeEnglish)).toEqual(expect.arrayContaining(keys(english)));
});
