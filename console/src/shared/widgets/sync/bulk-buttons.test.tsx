import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { useNotices } from '@/shared/lib/notices';
import { renderInFrame } from '@/testing/render';
import { BulkActionRow } from './bulk-buttons';

const act = vi.fn();
const onDone = vi.fn();
const unbind = vi.fn();
const running = { name: 'a', actions: ['suspend'] };
const suspended = { name: 'b', actions: ['resume'] };

beforeEach(() => {
  act.mockReset();
  useNotices.setState({ waiting: [] });
});

/** Drawn as soon as its words are there. */
async function draw(rows: readonly (typeof running)[]) {
  await renderInFrame(
    <BulkActionRow
      rows={rows}
      verbs={['suspend']}
      labelOf={() => 'Suspend'}
      act={act}
      onDone={onDone}
      further={[{ key: 'x', label: 'Unbind', run: unbind }]}
    />,
  );
  return screen.findByRole('button', { name: 'Suspend' });
}

it('asks to select tables first', async () => {
  await userEvent.click(await draw([]));
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'warning', text: 'Select tables first' }]);
  expect(act).not.toHaveBeenCalled();
});

it('acts on those of the selected tables that allow it', async () => {
  await userEvent.click(await draw([suspended, running]));
  expect(act).toHaveBeenCalledWith('suspend', [running], onDone);
});

it('is off where none of them allows it, and says so', async () => {
  const button = await draw([suspended]);
  await userEvent.click(button);
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAccessibleDescription('None of the selected tables allows this now');
  expect(act).not.toHaveBeenCalled();
});

it('the menu of further actions asks to select tables first, too', async () => {
  await draw([]);
  await userEvent.click(screen.getByRole('button', { name: /More/ }));
  expect(useNotices.getState().waiting).toMatchObject([{ kind: 'warning', text: 'Select tables first' }]);
  expect(screen.queryByText('Unbind')).toBeNull();
});
