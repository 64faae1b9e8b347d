import { expect, test } from 'vitest';
import { readable } from './log-line';

test('a structured line is put into words, with its level', () => {
  const line = '{"component": "worker", "rows": 3, "event": "waiting", "level": "warning"}';
  expect(readable(line, '1')).toEqual({ id: '1', text: ' warning waiting rows=3', level: 'warning' });
});

test('what is not structured stays as it is', () => {
  expect(readable('Traceback (most recent call last):', '2')).toEqual({
    id: '2',
    text: 'Traceback (most recent call last):',
  });
});
