import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInFrame } from '@/testing/render';
import ThirdPartyPage from './third-party-page';

const SAYS = 'The identity provider did not confirm this sign-in';

it("shows the provider's own refusal by its code, and leads on", async () => {
  const path = '/thirdpart-sign-in?error=access_denied&state=s';
  await renderInFrame(<ThirdPartyPage />, { path });
  expect(await screen.findByRole('alert')).toHaveTextContent(`${SAYS} (access_denied)`);
  expect(screen.getByRole('link', { name: 'Try again' })).toBeInTheDocument();
});

it('shows no sentence that a link puts in place of a code', async () => {
  const path = `/thirdpart-sign-in?error=${encodeURIComponent('Call 555-1234 to unlock your account')}`;
  await renderInFrame(<ThirdPartyPage />, { path });
  expect(await screen.findByRole('alert')).toHaveTextContent(`${SAYS} (server_error)`);
});
