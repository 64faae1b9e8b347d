import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { Toolset } from './toolset';

const user = vi.hoisted(() => ({ menuPermission: [] as string[] }));
vi.mock('../session', () => ({ useSignedInUser: () => user }));

it.each([
  [['Resource.Article'], ['Help articles']],
  [['Toolset.disclaimers'], ['Disclaimers']],
  [['Resource.EncodeTool', 'home'], ['Encryption tool']],
])('tools are offered to users with their entries: %j', async (entries, tools) => {
  user.menuPermission = entries;
  await renderInFrame(<Toolset />);
  await userEvent.click(await screen.findByRole('button', { name: 'Tools' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(tools);
});

it('there is no toolset without an entry', async () => {
  user.menuPermission = ['home'];
  await renderInFrame(<Toolset />);
  expect(screen.queryByRole('button', { name: 'Tools' })).not.toBeInTheDocument();
});
