import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderInFrame } from '@/testing/render';
import { Deployment } from './deployment';

const deployment = vi.hoisted(() => ({ version: '1.2.3', type: 0 }));
vi.mock('../session', () => ({ useDeployment: () => deployment }));
vi.mock('@/shared/hooks/use-system-config', () => ({
  useSystemConfig: () => ({ leftLowerText: 'North site' }),
}));

it.each([
  [0, '单机版', 'Standalone'],
  [1, '集群版', 'Cluster'],
  [2, '（SaaS）多租户版', '(SaaS) Multi-tenant'],
])('the foot of the menu names the version and deployment type %i', async (type, zh, en) => {
  deployment.type = type;
  const english = await renderInFrame(<Deployment />);
  expect(await screen.findByText(en)).toBeVisible();
  expect(screen.getByText(/1\.2\.3/)).toBeVisible();
  expect(screen.getByText('North site')).toBeVisible();
  english.unmount();
  await renderInFrame(<Deployment />, { locale: 'zh' });
  expect(await screen.findByText(zh)).toBeVisible();
});
