import { expect, test } from 'vitest';
import { time } from './figures';
import { localTimes } from './local-times';

test('moments within a text are shown in the zone of all others', () => {
  const shown = time('2026-01-31T16:00:30Z');
  expect(localTimes('自 2026-01-31 16:00+00:00 起，至 2026-01-31 16:00:30.250+00:00')).toBe(
    `自 ${shown.slice(0, 16)} 起，至 ${shown}`,
  );
});

test('moments that name UTC are shown like those with its offset', () => {
  expect(localTimes('since 2026-01-31 16:00:30 UTC: silent')).toBe(
    `since ${time('2026-01-31T16:00:30Z')}: silent`,
  );
});

test('what is no moment of UTC stays', () => {
  for (const text of ['2026-01-31', '2026-01-31 16:00', 'shop 2026-01-31 16:00+08:00', '']) {
    expect(localTimes(text)).toBe(text);
  }
});
