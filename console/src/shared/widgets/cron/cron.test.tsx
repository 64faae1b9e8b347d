import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { CronHelper } from '.';

function Plan() {
  const [expression, setExpression] = useState('0 2 * * 1');
  return (
    <>
      <CronHelper value={expression} onChange={setExpression} zone="UTC" />
      <output data-testid="plan">{expression}</output>
    </>
  );
}

it('says what a plan means and when it runs next', async () => {
  await renderInFrame(<Plan />);
  expect(await screen.findByText(/At 02:00, only on Monday/)).toBeInTheDocument();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
});

it('says it in Chinese, too', async () => {
  await renderInFrame(<Plan />, { locale: 'zh' });
  expect(await screen.findByText(/星期一/)).toBeInTheDocument();
});

it('changes one field at a time and refuses what never runs', async () => {
  await renderInFrame(<Plan />);
  const minute = screen.getByRole('textbox', { name: 'Minute' });
  await userEvent.clear(minute);
  await userEvent.type(minute, '61');
  expect(screen.getByTestId('plan')).toHaveTextContent('61 2 * * 1');
  expect(screen.getByRole('alert')).toHaveTextContent('no plan that ever runs');
  await userEvent.clear(minute);
  await userEvent.type(minute, '30');
  expect(screen.getByTestId('plan')).toHaveTextContent('30 2 * * 1');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
