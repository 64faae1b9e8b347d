import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { PaceMark } from './pace-mark';

it.each([
  ['idle', 'Idle', '–'],
  ['busy', 'Busy', '→'],
  ['behind', 'Behind', '!'],
] as const)('%s is shown by a word and a sign of its own', async (pace, word, sign) => {
  await renderInFrame(<PaceMark pace={pace} />);
  const mark = await screen.findByText(word);
  expect(mark).toHaveTextContent(`${sign} ${word}`);
  expect(mark).toHaveAttribute('data-pace', pace);
});

it('nothing is claimed where it is not known', async () => {
  const { container } = await renderInFrame(<PaceMark pace={null} />);
  expect(container.querySelector('.sync-pace')).toBeNull();
});
