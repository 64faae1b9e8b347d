import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { NodeInfo } from '@/shared/api';
import { ApiError } from '@/shared/api/errors';
import { useNotices } from '@/shared/lib/notices';
import type { Kind } from '@/shared/widgets/data-source/kind';
import { renderInFrame } from '@/testing/render';
import NodeForm from './node-form';

const change = vi.hoisted(() => vi.fn());
vi.mock('./queries', async (original) => ({
  ...(await original<object>()),
  useNodeChange: () => ({ mutateAsync: change, isPending: false }),
}));
vi.mock('@/shared/api', async (original) => ({
  ...(await original<object>()),
  clusterPage: async () => ({
    data: { code: 200, message: '', data: { records: [], total: 0 } },
    response: new Response(),
  }),
}));

const kind = { moduletype: 'postgresql', label: 'PostgreSQL', pngpath: '', options: [] } as unknown as Kind;
const node = { id: 'n1', name: 'shop', retentionHours: 72, source: { kind: 'postgresql' } } as NodeInfo;

it('a change of a node that fails is reported, with the reason', async () => {
  change.mockRejectedValue(new ApiError(300, 'The store is away'));
  await renderInFrame(<NodeForm kind={kind} node={node} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(useNotices.getState().waiting).toMatchObject([
      { kind: 'error', text: 'Node update failed: The store is away' },
    ]),
  );
});
