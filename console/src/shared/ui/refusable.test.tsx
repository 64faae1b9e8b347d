import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Button, Dropdown } from 'antd';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { actionItems } from './action-items';
import { RefusableButton } from './refusable-button';

const run = vi.fn();
/** A button whose hint is shown names it. */
const SHOWN = 'aria-describedby';

beforeEach(() => run.mockReset());

it('a refused button is reached by keyboard, says why, and does nothing', async () => {
  await renderInFrame(
    <RefusableButton refused="It stands still" onClick={run}>
      Stop
    </RefusableButton>,
  );
  await userEvent.tab();
  const button = screen.getByRole('button', { name: 'Stop' });
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(await screen.findByRole('tooltip')).toHaveTextContent('It stands still');
  await userEvent.keyboard('{Enter}');
  expect(run).not.toHaveBeenCalled();
});

it('a refused button that is given the focus back says nothing until it is pressed', async () => {
  await renderInFrame(<RefusableButton refused="It stands still">Stop</RefusableButton>);
  const button = screen.getByRole('button', { name: 'Stop' });
  act(() => button.focus());
  expect(button).not.toHaveAttribute(SHOWN);
  await userEvent.keyboard('{Enter}');
  expect(button).toHaveAttribute(SHOWN);
  await userEvent.tab();
  expect(button).not.toHaveAttribute(SHOWN);
});

/** Refused at first; each turn of the wheel allows it or refuses it again. */
function Changing() {
  const [refused, setRefused] = useState<string | undefined>('It stands still');
  const change = () => setRefused((reason) => (reason ? undefined : 'It stands still'));
  return (
    <div onWheel={change}>
      <RefusableButton refused={refused}>Stop</RefusableButton>
    </div>
  );
}

it('a hint that was left while there was no reason does not come back with the next', async () => {
  await renderInFrame(<Changing />);
  const button = screen.getByRole('button', { name: 'Stop' });
  await userEvent.click(button);
  expect(button).toHaveAttribute(SHOWN);
  fireEvent.wheel(button);
  await userEvent.unhover(button);
  fireEvent.wheel(button);
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).not.toHaveAttribute(SHOWN);
});

it('a button that is not refused acts and has no hint', async () => {
  await renderInFrame(<RefusableButton onClick={run}>Stop</RefusableButton>);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(run).toHaveBeenCalledOnce();
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('a refused entry of a menu is reached by keyboard, says why, and does nothing', async () => {
  const actions = [
    { key: 'start', label: 'Start', run },
    { key: 'stop', label: 'Stop', refused: 'It stands still', run },
  ];
  await renderInFrame(
    <Dropdown menu={{ items: actionItems(actions) }} trigger={['click']} autoFocus>
      <Button>More</Button>
    </Dropdown>,
  );
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  const entry = await screen.findByRole('menuitem', { name: 'Stop' });
  expect(entry).toHaveAttribute('aria-disabled', 'true');
  expect(entry).toHaveAttribute('aria-description', 'It stands still');
  // What has no tab index is stepped over by the arrow keys.
  expect(entry).toHaveAttribute('tabindex', '-1');
  // Whether the focus came by keyboard is not to be had here.
  vi.spyOn(entry, 'matches').mockReturnValue(true);
  act(() => entry.focus());
  expect(await screen.findByRole('tooltip')).toHaveTextContent('It stands still');
  await userEvent.keyboard('{Enter}');
  expect(run).not.toHaveBeenCalled();
});
