import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { SearchForm } from './search-form';

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'host', label: 'Host' },
  { name: 'user', label: 'User' },
  {
    name: 'state',
    label: 'State',
    options: [
      { value: '', label: 'Any' },
      { value: 'bad', label: 'Bad' },
    ],
  },
];

it('searches with Enter, without the blanks around', async () => {
  const onSearch = vi.fn();
  await renderInFrame(<SearchForm fields={fields} values={{}} onSearch={onSearch} />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' shop {Enter}');
  expect(onSearch).toHaveBeenCalledWith({ name: 'shop', host: '', user: '', state: '' });
});

it('empties every field', async () => {
  const onSearch = vi.fn();
  await renderInFrame(
    <SearchForm fields={fields} values={{ name: 'a', state: 'bad' }} onSearch={onSearch} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect(onSearch).toHaveBeenCalledWith({ name: '', host: '', user: '', state: '' });
});

it('keeps further fields behind "more", unless one of them is in use', async () => {
  const { unmount } = await renderInFrame(<SearchForm fields={fields} values={{}} onSearch={vi.fn()} />);
  expect(screen.queryByLabelText('State')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: /More/ }));
  expect(screen.getByLabelText('State')).toBeInTheDocument();
  unmount();
  await renderInFrame(<SearchForm fields={fields} values={{ state: 'bad' }} onSearch={vi.fn()} />);
  expect(screen.getByLabelText('State')).toBeInTheDocument();
});

it('follows the address', async () => {
  const { rerender } = await renderInFrame(<p />);
  rerender(<SearchForm fields={fields} values={{ name: 'one' }} onSearch={vi.fn()} />);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('one');
  rerender(<SearchForm fields={fields} values={{ name: 'two' }} onSearch={vi.fn()} />);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('two');
});
