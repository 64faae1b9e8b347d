import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { createMemoryRouter } from 'react-router';
import { RoutedPages } from '@/shared/pages/router';
import { loadMessages } from './messages';

const Drawn = createContext<ReactNode>(undefined);

function Slot() {
  return useContext(Drawn);
}

/** A router of its own around a part; it is at `path` first, and every address leads to the part. */
export function InRouter({ path, children }: { path: string; children: ReactNode }) {
  const [router] = useState(() =>
    createMemoryRouter([{ path: '*', Component: Slot }], { initialEntries: [path] }),
  );
  return (
    <Drawn value={children}>
      <RoutedPages router={router} />
    </Drawn>
  );
}

/** Draws a part of the console with what every page has around it: messages, router, queries, the kit. */
export async function renderInFrame(part: ReactNode, { path = '/', locale = 'en' as 'zh' | 'en' } = {}) {
  await loadMessages(locale);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <ConfigProvider componentSize="small">
        <App>
          <InRouter path={path}>{part}</InRouter>
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
}
