import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { loadMessages } from './messages';

/** Draws a part of the console with what every page has around it: messages, router, queries, the kit. */
export async function renderInFrame(part: ReactNode, { path = '/', locale = 'en' as 'zh' | 'en' } = {}) {
  await loadMessages(locale);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <ConfigProvider componentSize="small">
        <App>
          <MemoryRouter initialEntries={[path]}>{part}</MemoryRouter>
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
}
