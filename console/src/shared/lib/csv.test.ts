import { expect, it } from 'vitest';
import { toCsv } from './csv';

const lines = (rows: Parameters<typeof toCsv>[0]) => toCsv(rows).slice(1).split('\r\n').slice(0, -1);

it('quotes what would break a line apart', () => {
  expect(lines([['a,b', 'say "hi"', '表']])).toEqual(['"a,b","say ""hi""",表']);
  expect(toCsv([['two\nlines']])).toBe('\uFEFF"two\nlines"\r\n');
});

it('leaves figures and nothing as they are', () => {
  expect(lines([[-1, 2.5, true, null, undefined]])).toEqual(['-1,2.5,true,,']);
});

it('makes no text a formula', () => {
  expect(lines([['=1+1', '+86', '-a', '@x']])).toEqual(["'=1+1,'+86,'-a,'@x"]);
  expect(lines([[' =1', '\tx', '\uFF1D1', 'a=b']])).toEqual(["' =1,'\tx,'\uFF1D1,a=b"]);
});
