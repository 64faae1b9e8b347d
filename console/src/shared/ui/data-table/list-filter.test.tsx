import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { useListFilter } from '.';

const defaults = { search: '', result: '' };

function List() {
  const [filter, narrow] = useListFilter('list', defaults);
  const { search } = useLocation();
  return (
    <>
      <button type="button" onClick={() => narrow({ result: 'failed' })}>
        Failed
      </button>
      <button type="button" onClick={() => narrow(defaults)}>
        All
      </button>
      <output>{filter.result || 'any'}</output>
      <p>{search || 'plain'}</p>
    </>
  );
}

it('narrows in the address, from the first page on', async () => {
  await renderInFrame(<List />, { path: '/list?current=4' });
  await userEvent.click(screen.getByRole('button', { name: 'Failed' }));
  expect(screen.getByText('?result=failed')).toBeInTheDocument();
});

it('remembers what the viewer chose; an address that says something wins', async () => {
  const { unmount } = await renderInFrame(<List />, { path: '/list' });
  await userEvent.click(screen.getByRole('button', { name: 'Failed' }));
  unmount();
  const { unmount: leave } = await renderInFrame(<List />, { path: '/list' });
  expect(await screen.findByText('?result=failed')).toBeInTheDocument();
  leave();
  const { unmount: leaveAgain } = await renderInFrame(<List />, { path: '/list?search=a' });
  expect(screen.getByText('any')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  leaveAgain();
  await renderInFrame(<List />, { path: '/list' });
  expect(screen.getByText('plain')).toBeInTheDocument();
});
