import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { BulkButton, BulkMenu } from './bulk-buttons';

const onAct = vi.fn();

/** Drawn as soon as its words are there. */
async function draw(...part: Parameters<typeof renderInFrame>) {
  await renderInFrame(...part);
  await screen.findAllByRole('button');
}

beforeEach(() => {
  onAct.mockReset();
  useNotices.setState({ waiting: [] });
});

async function press(chosen: readonly string[], possible: readonly string[]) {
  await draw(
    <BulkButton chosen={chosen} possible={possible} onAct={onAct}>
      Suspend
    </BulkButton>,
  );
  const button = screen.getByRole('button', { name: 'Suspend' });
  await userEvent.click(button);
  return button;
}

it('asks to select tables first', async () => {
  await press([], []);
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'warning', text: 'Select tables first' }]);
  expect(onAct).not.toHaveBeenCalled();
});

it('acts on those of the selected tables that allow it', async () => {
  await press(['a', 'b'], ['b']);
  expect(onAct).toHaveBeenCalledWith(['b']);
});

it('is off where none of them allows it, and says so', async () => {
  const button = await press(['a'], []);
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription('None of the selected tables allows this now');
  expect(onAct).not.toHaveBeenCalled();
});

it('the menu of further actions asks to select tables first, too', async () => {
  await draw(<BulkMenu chosen={[]} actions={[{ key: 'x', label: 'Unbind', run: onAct }]} />);
  await userEvent.click(screen.getByRole('button', { name: /More/ }));
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'warning', text: 'Select tables first' }]);
  expect(screen.queryByText('Unbind')).toBeNull();
});
