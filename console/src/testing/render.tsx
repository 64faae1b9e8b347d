import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import { type ReactNode, useState } from 'react';
import { UNSAFE_createMemoryHistory } from 'react-router';
import { GuardedHistory } from '@/shared/pages/guarded-history';
import { RoutedPages } from '@/shared/pages/router';
import { loadMessages } from './messages';

/** A history of its own around a part; it is at `path` first, and every address leads to the part. */
export function InRouter({ path, children }: { path: string; children: ReactNode }) {
  const [history] = useState(
    () => new GuardedHistory(UNSAFE_createMemoryHistory({ initialEntries: [path], v5Compat: true })),
  );
  return <RoutedPages history={history}>{children}</RoutedPages>;
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
