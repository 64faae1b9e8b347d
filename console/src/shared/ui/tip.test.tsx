import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Button, Drawer, Modal } from 'antd';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { Tip } from './tip';

// Under test the kit calls all its layers by one name, and so would find a dialog on top that has a hint above it.
beforeEach(() => void vi.stubEnv('NODE_ENV', 'development'));
afterEach(() => void vi.unstubAllEnvs());

const Hinted = () => (
  <Tip title="It stands still">
    <Button>Stop</Button>
  </Tip>
);

const dialogs = {
  drawer: (close: () => void) => (
    <Drawer open onClose={close}>
      <Hinted />
    </Drawer>
  ),
  modal: (close: () => void) => (
    <Modal open onCancel={close}>
      <Hinted />
    </Modal>
  ),
};

async function pointAtButton() {
  const button = await screen.findByRole('button', { name: 'Stop' });
  await userEvent.hover(button);
  await screen.findByRole('tooltip');
  return button;
}

for (const [name, dialog] of Object.entries(dialogs)) {
  it(`Escape closes a ${name} and the hint above it by one press`, async () => {
    const close = vi.fn();
    await renderInFrame(dialog(close));
    await pointAtButton();
    await userEvent.keyboard('{Escape}');
    expect(close).toHaveBeenCalledOnce();
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it(`Escape closes a ${name} while the hint above it is leaving`, async () => {
    const close = vi.fn();
    await renderInFrame(dialog(close));
    const button = await pointAtButton();
    await userEvent.unhover(button);
    await waitFor(() => expect(button).not.toHaveAttribute('aria-describedby'));
    await userEvent.keyboard('{Escape}');
    expect(close).toHaveBeenCalledOnce();
  });
}

it('Escape takes a hint that stands alone, and what it speaks of keeps the focus', async () => {
  await renderInFrame(<Hinted />);
  await userEvent.tab();
  const button = screen.getByRole('button', { name: 'Stop' });
  expect(button).toHaveAccessibleDescription('It stands still');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect(button).not.toHaveAttribute('aria-describedby');
  expect(button).toHaveFocus();
});

it('a hint stays while the pointer goes onto it, and leaves with the pointer', async () => {
  await renderInFrame(<Hinted />);
  const button = await pointAtButton();
  const hint = screen.getByText('It stands still');
  await userEvent.hover(hint, { pointerEventsCheck: 0 });
  // Longer than it stays without the pointer.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(button).toHaveAccessibleDescription('It stands still');
  await userEvent.unhover(hint, { pointerEventsCheck: 0 });
  await waitFor(() => expect(button).not.toHaveAttribute('aria-describedby'));
});
