import { expect, it } from 'vitest';
import { isDecodable } from './decodable';

it.each(['a', 'Z9_', "/^$.,;:'!@#%&*|?+()", 'mzxw6ytb'])('%s may be decrypted', (text) => {
  expect(isDecodable(text)).toBe(true);
});

it.each(['', ' ', 'a b', 'a\n', 'a-b', 'a=', '密', 'a"', '<a>', '\\'])('%j may not', (text) => {
  expect(isDecodable(text)).toBe(false);
});
