import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { UsageBar } from './usage-bar';

it('a bar of use ends at 100 percent', async () => {
  await renderInFrame(<UsageBar label="Tables" usage={{ usedCount: 15, maxLimit: 10 }} />);
  expect(await screen.findByText('100%')).toBeVisible();
  expect(screen.getByText('15 / 10')).toBeVisible();
});
