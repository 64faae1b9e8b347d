import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { type LogLine, LogViewer, matchingLines } from './log-viewer';

const lines: LogLine[] = [
  { id: '1', text: 'started' },
  { id: '2', text: 'Slow disk', level: 'warning' },
  { id: '3', text: 'disk full', level: 'error' },
  { id: '4', text: 'details', level: 'debug' },
];
const ids = (found: readonly LogLine[]) => found.map(({ id }) => id).join('');

it('finds lines by a part of their text and by their level', () => {
  expect(ids(matchingLines(lines, '', 'debug'))).toBe('1234');
  expect(ids(matchingLines(lines, '', 'info'))).toBe('123');
  expect(ids(matchingLines(lines, ' DISK ', 'debug'))).toBe('23');
  expect(ids(matchingLines(lines, 'disk', 'error'))).toBe('3');
});

it('marks what was searched for and says how much there is', async () => {
  const { container } = await renderInFrame(<LogViewer name="Worker" lines={lines} />);
  expect(screen.getByRole('status')).toHaveTextContent('4 lines');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find in the log' }), 'disk');
  expect(screen.getByRole('status')).toHaveTextContent('2 lines');
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['disk', 'disk']);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find in the log' }), ' nowhere');
  expect(screen.getByText('No line fits')).toBeInTheDocument();
});

it('draws only the lines in sight', async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({ id: `${index}`, text: `line ${index}` }));
  const { container } = await renderInFrame(<LogViewer name="Worker" lines={many} />);
  expect(container.querySelectorAll('.log-line').length).toBeLessThan(200);
});
