import { expect, it } from 'vitest';
import { pathOfLink } from './links';

it.each([
  ['../reference/cli.md', '/resource/article?name=reference%2Fcli'],
  ['row-errors.md#limits', '/resource/article?name=how-to%2Frow-errors#limits'],
  ['../index.md', '/resource/article?name=index'],
  ['/zcbus/home', '/home'],
  ['https://example.com/a.md', undefined],
  ['#here', undefined],
])('%s leads to %s', (href, path) => {
  expect(pathOfLink('how-to/tables', href)).toBe(path);
});
