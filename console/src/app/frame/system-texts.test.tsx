import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { Footer } from './footer';
import { SideMenu } from './side-menu';

const config = vi.hoisted(() => ({}) as Record<string, unknown>);
vi.mock('@/shared/hooks/use-system-config', () => ({ useSystemConfig: () => config }));
vi.mock('../session', () => ({ useSignedInUser: () => undefined, useDeployment: () => ({}) }));
vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  menuGrantedTree: async () => ({ data: { code: 200, message: '', data: [] }, response: new Response() }),
}));

it("the footer has the system's text and number, else the product's name", async () => {
  Object.assign(config, { footerTxt: 'North site', caseNumber: 'ICP 7' });
  const footer = await renderInFrame(<Footer />);
  expect(await screen.findByRole('contentinfo')).toHaveTextContent('North siteICP 7');
  footer.unmount();
  Object.assign(config, { footerTxt: '', caseNumber: '' });
  await renderInFrame(<Footer />);
  expect(await screen.findByRole('contentinfo')).toHaveTextContent('Data exchange platform');
});

it("the menu's head has the system's picture and name", async () => {
  const homeLogo = 'data:image/png;base64,AA==';
  Object.assign(config, { homeLogo, homeHeaderText: 'North bus' });
  const { container } = await renderInFrame(<SideMenu collapsed={false} />);
  expect(await screen.findByText('North bus')).toBeVisible();
  expect(container.querySelector('.frame-brand img')).toHaveAttribute('src', homeLogo);
});
