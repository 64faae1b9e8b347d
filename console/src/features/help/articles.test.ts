import { expect, it } from 'vitest';
import { articleNames, loadArticle, loadDisclaimers } from './articles';

const headings = (text: string) => text.split('\n').filter((line) => line.startsWith('#')).length;
const links = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);

it.each(articleNames)('%s says the same in both languages', async (name) => {
  const [chinese, english] = [await loadArticle(name, 'zh'), await loadArticle(name, 'en')];
  expect(headings(chinese)).toBe(headings(english));
  expect(links(chinese)).toEqual(links(english));
  expect(chinese.match(/\|---/g)?.length).toBe(english.match(/\|---/g)?.length);
});

it('there are disclaimers in both languages', async () => {
  for (const locale of ['zh', 'en'] as const) expect(headings(await loadDisclaimers(locale))).toBe(1);
});
