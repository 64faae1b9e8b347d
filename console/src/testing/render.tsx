import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { startI18n } from '@/app/i18n';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

/** Draws a part of the console with what every page has around it: messages, router, queries, the kit. */
export async function renderInFrame(part: ReactNode, { path = '/', locale = 'en' } = {}) {
  local.set(storeKeys.locale, locale);
  await startI18n();
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
