import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { prepareClient } from '@/shared/api/client';
import { renderInFrame } from '@/testing/render';
import ArticlePage from './article-page';

prepareClient();

const granted = vi.hoisted(() => ({ operations: ['view', 'create', 'edit', 'delete', 'operate'] }));
vi.mock('@/shared/hooks/use-may', () => ({
  useMay: () => (operation: string) => granted.operations.includes(operation),
}));

const article = {
  name: 'own/night',
  titleZh: '',
  titleEn: 'Night shift',
  origin: 'own',
  published: 2,
  changed: true,
  outdated: false,
  revision: 4,
  updatedBy: 'admin',
  updatedAt: '2026-11-28T12:00:00Z',
  beforeShipped: false,
  place: 0,
};
const answers: Record<string, unknown> = {
  'common/help/contents': [{ title: 'Own articles', pages: [{ name: 'own/night', title: 'Night shift' }] }],
  'common/help/page': { name: 'index', title: 'A', text: '# A page', language: 'en', isOwn: false },
  'common/help/search': {
    hits: [{ name: 'own/night', title: 'Night shift', section: 'Own articles' }],
    more: false,
  },
  'resource/article/page': { records: [article], total: 1 },
  'resource/article/get': {
    ...article,
    zh: '',
    en: '# Night shift\n\n**Call**',
    shippedZh: '',
    shippedEn: '',
    shipped: '',
  },
};
let sent: Record<string, unknown>;

beforeEach(() => {
  sent = {};
  granted.operations = ['view', 'create', 'edit', 'delete', 'operate'];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/api/zcbus/', '');
    sent[path] = JSON.parse((await request.text()) || '{}');
    return Response.json({ code: 200, message: '', data: answers[path] ?? article });
  });
});

it('finds articles by their text; readers get no means to write', async () => {
  granted.operations = ['view'];
  await renderInFrame(<ArticlePage />);
  expect(await screen.findByRole('heading', { name: 'A page' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Manage articles' })).toBeNull();
  await userEvent.type(screen.getByRole('searchbox'), 'night{Enter}');
  expect(await screen.findByText('1 found')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /Night shift/ })).toBeInTheDocument();
});

it('a reader of an article reads which version it is, and who published it; a shipped page has none', async () => {
  const version = { number: 3, publishedAt: '2026-11-28T12:00:00Z', publishedBy: 'lin', note: 'new number' };
  const shipped = answers['common/help/page'] as object;
  answers['common/help/page'] = { ...shipped, name: 'own/night', isOwn: true, version };
  const { unmount } = await renderInFrame(<ArticlePage />);
  expect(await screen.findByText(/Version 3, published by lin/)).toHaveTextContent('new number');
  unmount();
  answers['common/help/page'] = { ...shipped, version: null };
  await renderInFrame(<ArticlePage />);
  expect(await screen.findByRole('heading', { name: 'A page' })).toBeInTheDocument();
  expect(screen.queryByText(/published by/)).toBeNull();
});

it('writes a draft with its preview, and publishes it', async () => {
  await renderInFrame(<ArticlePage />, { path: '/?show=manage' });
  expect(await screen.findByText('Version 2, draft changed')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(sent['resource/article/publish']).toEqual({ name: 'own/night', revision: 4 });
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  await userEvent.click(await screen.findByRole('tab', { name: 'English' }));
  expect((await screen.findAllByText('Call')).map(({ tagName }) => tagName)).toContain('STRONG');
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  await vi.waitFor(() =>
    expect(sent['resource/article/edit']).toMatchObject({
      name: 'own/night',
      revision: 4,
      en: '# Night shift\n\n**Call**',
    }),
  );
});

it('puts an own article before the shipped pages', async () => {
  await renderInFrame(<ArticlePage />, { path: '/?show=manage' });
  expect(await screen.findByText('Behind the shipped pages, 0')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: /More/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Place' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'Before the shipped pages' }));
  await userEvent.clear(screen.getByRole('spinbutton', { name: 'Number' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter a number')).toBeInTheDocument();
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Number' }), '7');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(sent['resource/article/place']).toEqual({
      name: 'own/night',
      revision: 4,
      beforeShipped: true,
      place: 7,
    }),
  );
});
