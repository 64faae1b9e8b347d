import { expect, it } from 'vitest';
import { kindOf, parseCsv, prettyJson } from './kinds';

it.each([
  ['a.PNG', 'picture'],
  ['a.b.md', 'article'],
  ['link.yaml', 'text'],
  ['a.csv', 'table'],
  ['a', 'unknown'],
  ['a.exe', 'unknown'],
])('%s is shown as %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});

it('takes CSV apart as spreadsheets write it', () => {
  expect(parseCsv('\uFEFFa,b\r\n"1,2","say ""hi""\r\nthere"\r\n,\r\n')).toEqual([
    ['a', 'b'],
    ['1,2', 'say "hi"\r\nthere'],
    ['', ''],
  ]);
  expect(parseCsv('')).toEqual([]);
});

it('sets JSON out for reading and leaves the rest as it is', () => {
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyJson('{a')).toBe('{a');
});
