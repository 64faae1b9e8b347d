import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App, ConfigProvider } from 'antd';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { PageDefinition } from '@/shared/pages/definition';
import { usePageActive, usePageTitle } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { loadMessages } from '@/testing/messages';
import { InRouter } from '@/testing/render';
import { useTabStore } from '../tab-store';
import { PageTabs } from './page-tabs';
import { PageViews } from './page-views';

const unmounted = vi.fn();

const narrowed = { kind: '' };
let narrow: (change: Partial<typeof narrowed>) => void;

function Notes() {
  const [text, setText] = useState('');
  const isActive = usePageActive();
  const { search } = useLocation();
  [, narrow] = useUrlState(narrowed);
  return (
    <>
      <input aria-label="note" value={text} onChange={(event) => setText(event.target.value)} />
      <p>{`${isActive ? 'in front' : 'in the back'} at ${search}`}</p>
    </>
  );
}

function Thing() {
  const { id } = useParams();
  usePageTitle(`Thing ${id}`);
  useEffect(() => unmounted, []);
  return <p>{`thing ${id}`}</p>;
}

function Form() {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const saved = useUnsaved(() => text !== '');
  const save = () => {
    saved();
    navigate('/thing/9', { replace: true });
  };
  return (
    <>
      <input aria-label="field" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={save}>
        save
      </button>
    </>
  );
}

function Broken(): never {
  throw new Error('cannot be drawn');
}

const testPages = vi.hoisted(() => [] as PageDefinition[]);
vi.mock('../pages', () => ({ pages: testPages }));
vi.mock('../session', () => ({
  useGrantedKeys: () => ['home', 'sync-link'],
  useSignedInUser: () => undefined,
}));

testPages.push(
  {
    path: '/home',
    title: { zh: '首页', en: 'Home' },
    menu: 'home',
    affix: true,
    messages: [],
    load: async () => ({ default: Notes }),
  },
  {
    path: '/sync-link',
    title: { zh: '同步链路', en: 'Sync links' },
    menu: 'sync-link',
    messages: [],
    load: async () => ({ default: Broken }),
  },
  {
    path: '/thing/:id',
    title: { zh: '同步链路详情', en: 'Sync link' },
    menu: 'sync-link',
    messages: [],
    load: async () => ({ default: Thing }),
  },
  {
    path: '/passing/:id',
    title: { zh: '同步链路详情', en: 'Sync link' },
    menu: 'sync-link',
    messages: [],
    noCache: true,
    info: 'node',
    load: async () => ({ default: Thing }),
  },
  {
    path: '/untitled/:id',
    title: { zh: '点对点同步', en: 'Point to point' },
    menu: 'sync-link',
    messages: [],
    untitled: true,
    load: async () => ({ default: Thing }),
  },
  {
    path: '/form',
    title: { zh: '数据库配置', en: 'Database configuration' },
    menu: 'sync-link',
    messages: [],
    noCache: true,
    load: async () => ({ default: Form }),
  },
  {
    path: '/sync-task',
    title: { zh: '同步任务', en: 'Sync tasks' },
    menu: 'sync-task',
    messages: [],
    load: async () => ({ default: Thing }),
  },
);

// What fades out stays where nothing is drawn.
const still = { token: { motion: false } };

async function renderAt(path: string) {
  await loadMessages('en');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <InRouter path={path}>
        <ConfigProvider theme={still}>
          <App>
            <PageTabs />
            <PageViews />
            <Link to="/home?from=test">go home</Link>
            <Link to="/thing/7">go to thing</Link>
            <Link to="/thing/7?name=x">go to thing by name</Link>
            <Link to="/passing/3">go to what passes</Link>
            <Link to="/thing/8" replace>
              go on in its place
            </Link>
            <Link to="/sync-link">go to the broken one</Link>
            <Link to="/form">go to the form</Link>
          </App>
        </ConfigProvider>
      </InRouter>
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  unmounted.mockClear();
  useTabStore.setState({ tabs: [], front: undefined });
});

it('a link to an open page with another search part opens a second tab; each stays as it was left', async () => {
  await renderAt('/home');
  await userEvent.click(await screen.findByText('go to thing'));
  await screen.findByText('thing 7');
  await userEvent.click(screen.getByText('go to thing by name'));
  await waitFor(() =>
    expect(useTabStore.getState().tabs.map(({ key }) => key)).toEqual([
      '/home',
      '/thing/7',
      '/thing/7?name=x',
    ]),
  );
  const [first, second] = screen.getAllByRole('button', { name: 'Thing 7' });
  expect(second).toHaveAttribute('aria-current', 'page');
  await userEvent.click(first as HTMLElement);
  await waitFor(() => expect(first).toHaveAttribute('aria-current', 'page'));
  await userEvent.click(screen.getAllByRole('button', { name: 'Close Thing 7' })[0] as HTMLElement);
  await waitFor(() =>
    expect(useTabStore.getState().tabs.map(({ key }) => key)).toEqual(['/home', '/thing/7?name=x']),
  );
});

it('keeps a page that is left as it was, and notifies it that it is in the background', async () => {
  await renderAt('/home');
  await userEvent.type(await screen.findByLabelText('note'), 'kept');
  await userEvent.click(screen.getByText('go to thing'));
  expect(await screen.findByText('thing 7')).toBeVisible();
  expect(screen.getByText('in the back at')).not.toBeVisible();
  await userEvent.click(screen.getByText('go home'));
  expect(screen.getByLabelText('note')).toHaveValue('kept');
  expect(screen.getByText('in front at ?from=test')).toBeVisible();
  expect(unmounted).not.toHaveBeenCalled();
});

it('what changes on a page in the back is in its address when it is in front again, unless a link says otherwise', async () => {
  await renderAt('/home');
  await screen.findByText('in front at');
  await userEvent.click(screen.getByText('go to thing'));
  await screen.findByText('thing 7');
  act(() => narrow({ kind: 'late' }));
  expect(screen.getByText('thing 7')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Home' }));
  expect(await screen.findByText('in front at ?kind=late')).toBeVisible();
  await userEvent.click(screen.getByText('go to thing'));
  act(() => narrow({ kind: 'later' }));
  await userEvent.click(screen.getByText('go home'));
  expect(await screen.findByText('in front at ?from=test')).toBeVisible();
});

it('forgets a page that is not to be kept when it is left, and its info value with it', async () => {
  await renderAt('/home');
  await userEvent.click(await screen.findByText('go to what passes'));
  expect(await screen.findByText('thing 3')).toBeVisible();
  expect(local.get(storeKeys.nodeInfoType)).toBe('node');
  await userEvent.click(screen.getByText('go home'));
  expect(screen.queryByText('thing 3')).not.toBeInTheDocument();
  expect(unmounted).toHaveBeenCalled();
  expect(local.get(storeKeys.nodeInfoType)).toBeUndefined();
  expect(screen.getByRole('button', { name: 'Thing 3' })).toBeInTheDocument();
});

it('gives up the tab of a page that puts another in its place', async () => {
  await renderAt('/home');
  await userEvent.click(await screen.findByText('go to what passes'));
  expect(await screen.findByText('thing 3')).toBeVisible();
  await userEvent.click(screen.getByText('go on in its place'));
  expect(await screen.findByRole('button', { name: 'Thing 8' })).toHaveAttribute('aria-current', 'page');
  expect(screen.queryByRole('button', { name: 'Thing 3' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Home' })).toBeInTheDocument();
});

it('opens a tab under the name of its object, next to the affixed one', async () => {
  await renderAt('/thing/7');
  expect(await screen.findByRole('button', { name: 'Thing 7' })).toHaveAttribute('aria-current', 'page');
  expect(screen.getByRole('button', { name: 'Home' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Close Home' })).not.toBeInTheDocument();
  expect(document.title).toBe('Thing 7 - Data exchange platform');
});

it('closing the tab in front moves to its neighbour and forgets the page', async () => {
  await renderAt('/thing/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Close Thing 7' }));
  expect(await screen.findByText('in front at')).toBeVisible();
  expect(screen.queryByText('thing 7')).not.toBeInTheDocument();
  expect(unmounted).toHaveBeenCalled();
});

it('what is closed while the next page is still coming is seen from that page', async () => {
  await renderAt('/thing/7');
  await userEvent.click(await screen.findByText('go to what passes'));
  await userEvent.click(await screen.findByRole('button', { name: 'Thing 7' }));
  const close = screen.getByRole('button', { name: 'Close Thing 7' });
  // Both before the next render.
  act(() => {
    screen.getByText('go home').click();
    close.click();
  });
  expect(await screen.findByText('in front at ?from=test')).toBeVisible();
  expect(useTabStore.getState().tabs.map(({ key }) => key)).toEqual(['/home', '/passing/3']);

  act(() => {
    screen.getByRole('button', { name: 'Thing 3' }).click();
    screen.getByRole('button', { name: 'Close Thing 3' }).click();
  });
  expect(await screen.findByText('in front at ?from=test')).toBeVisible();
  expect(useTabStore.getState().tabs.map(({ key }) => key)).toEqual(['/home']);
});

it('a page that fails leaves the others alone', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await renderAt('/home');
  await screen.findByLabelText('note');
  await userEvent.click(screen.getByText('go to the broken one'));
  expect(await screen.findByRole('alert')).toHaveTextContent('cannot be drawn');
  await userEvent.click(screen.getByText('go home'));
  expect(screen.getByLabelText('note')).toBeVisible();
});

it('shows neither what does not exist nor what is not granted', async () => {
  await renderAt('/nowhere');
  expect(await screen.findByText('Page not found')).toBeVisible();
});

it('gives the browser no title on a page that the specification has without one', async () => {
  await renderAt('/untitled/7');
  expect(await screen.findByText('thing 7')).toBeVisible();
  expect(document.title).toBe('Data exchange platform');
});

it('says so when a page is not granted', async () => {
  await renderAt('/sync-task');
  expect(await screen.findByText('No access')).toBeVisible();
  await vi.waitFor(() => expect(useTabStore.getState().tabs.map(({ key }) => key)).toEqual(['/home']));
});

const answer = async (name: string) => {
  await userEvent.click(await within(await screen.findByRole('dialog')).findByRole('button', { name }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
};

it('asks before a half-filled form is left by a link, the back button or the end of its tab', async () => {
  await renderAt('/home');
  await userEvent.click(await screen.findByText('go to the form'));
  await userEvent.type(await screen.findByLabelText('field'), 'half');
  await userEvent.click(screen.getByText('go to thing'));
  await answer('Keep editing');
  expect(screen.getByLabelText('field')).toHaveValue('half');

  await userEvent.click(screen.getByRole('button', { name: /^Close Database/ }));
  expect(await screen.findByText(/^Unsaved input on Database .* is lost/)).toBeInTheDocument();
  await answer('Keep editing');
  expect(screen.getByLabelText('field')).toHaveValue('half');
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);

  await userEvent.click(screen.getByText('go to thing'));
  await answer('Discard');
  expect(await screen.findByText('thing 7')).toBeVisible();
  await userEvent.click(screen.getByText('go to the form'));
  expect(await screen.findByLabelText('field')).toHaveValue('');
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
});

it('a form that nothing was filled in on, or that was saved, is left without a question', async () => {
  await renderAt('/form');
  await screen.findByLabelText('field');
  await userEvent.click(screen.getByText('go to thing'));
  expect(await screen.findByText('thing 7')).toBeVisible();
  await userEvent.click(screen.getByText('go to the form'));
  await userEvent.type(await screen.findByLabelText('field'), 'whole');
  await userEvent.click(screen.getByText('save'));
  expect(await screen.findByText('thing 9')).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
