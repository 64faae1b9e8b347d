import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  type ServiceAccountPageRequest,
  type ServiceAccountRecord,
  serviceAccountGetTerms,
  serviceAccountOfferPermissions,
  serviceAccountPage,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import type { TableRequest } from '@/shared/ui/data-table';

export interface AccountFilter {
  search: string;
  /** Empty: all that are not revoked. */
  state: string;
}

function asked(request: TableRequest, { search, state }: AccountFilter): ServiceAccountPageRequest {
  return { ...request, search, state: (state || null) as ServiceAccountRecord['state'] | null };
}

export function useServiceAccounts(request: TableRequest, filter: AccountFilter) {
  const body = asked(request, filter);
  return useRead({
    queryKey: ['authority', 'service-account', 'page', body],
    queryFn: ({ signal }) => call(serviceAccountPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

export async function allServiceAccounts(request: TableRequest, filter: AccountFilter) {
  return (await call(serviceAccountPage({ body: { ...asked(request, filter), current: 1, size: -1 } })))
    .records;
}

/** What the viewer can put into a scope. */
export function useScopeOffer() {
  return useRead({
    queryKey: ['authority', 'service-account', 'offer'],
    queryFn: ({ signal }) => call(serviceAccountOfferPermissions({ body: {}, signal })),
  });
}

export function useTokenTerms() {
  return useRead({
    queryKey: ['authority', 'service-account', 'terms'],
    queryFn: ({ signal }) => call(serviceAccountGetTerms({ body: {}, signal })),
  });
}
