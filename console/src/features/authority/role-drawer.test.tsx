import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { renderInFrame } from '@/testing/render';
import RoleDrawer from './role-drawer';

vi.mock('@/shared/api', async (original) => {
  const answer = (data: unknown) => ({ data: { code: 200, message: '', data }, response: new Response() });
  return {
    ...(await original<object>()),
    menuGrantedTree: async () => answer([]),
    roleGet: async () =>
      answer({
        id: 'r1',
        code: 'engineer',
        name: 'Engineer',
        nameZh: '工程师',
        nameEn: 'Engineer',
        named: true,
        permissions: [],
      }),
    roleOfferPermissions: async () => answer({ everything: false, everywhere: [], entries: [] }),
    tenantPage: async () => answer({ records: [], total: 0 }),
  };
});

const WARNING = 'You have this role: what you take from it, you lose at once';

beforeEach(() => local.remove(storeKeys.user));

it('a viewer who edits an own role reads that the change concerns the viewer', async () => {
  local.set(storeKeys.user, { userId: 'u1', roleCodes: ['ordinary', 'engineer'] });
  await renderInFrame(<RoleDrawer id="r1" onClose={() => undefined} />);
  expect(await screen.findByText(WARNING)).toBeVisible();
});

it('a viewer without the role is not warned, nor for a new role', async () => {
  local.set(storeKeys.user, { userId: 'u1', roleCodes: ['administrator'] });
  await renderInFrame(<RoleDrawer id="r1" onClose={() => undefined} />);
  expect(await screen.findByText('Edit role Engineer')).toBeVisible();
  expect(screen.queryByText(WARNING)).toBeNull();
});
