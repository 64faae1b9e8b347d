import { expect, it } from 'vitest';
import { contentOf, kindOf, parseCsv, prettyJson } from './kinds';

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

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a];
const blob = (bytes: readonly number[] | string) =>
  new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]);

it.each([
  ['a.png', PNG, 'picture', 'image/png'],
  ['a.txt', PNG, 'picture', 'image/png'],
  ['a', '%PDF-1.7', 'pdf', 'application/pdf'],
  ['a.svg', '<svg/>', 'picture', 'image/svg+xml'],
  ['a.pdf', '<html></html>', 'unknown', undefined],
  ['a.png', '<html></html>', 'unknown', undefined],
  ['a.txt', [0x41, 0x00, 0x42], 'unknown', undefined],
  ['a.csv', 'a,b', 'table', undefined],
  ['a', 'PAR1', 'records', undefined],
  ['a.XLSX', 'PK\u0003\u0004', 'records', undefined],
  ['a.xls', [0xd0, 0xcf, 0x11, 0xe0], 'records', undefined],
  ['a.zip', 'PK\u0003\u0004\0', 'unknown', undefined],
  ['a.xlsx', '<html></html>', 'unknown', undefined],
  ['a.json', '{}', 'json', undefined],
  ['a.md', '# A', 'article', undefined],
] as const)('%s is what its content says', async (name, bytes, kind, type) => {
  expect(await contentOf(name, blob(bytes))).toEqual(type ? { kind, type } : { kind });
});
