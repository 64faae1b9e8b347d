import {
  call,
  clusterPage,
  selectionListChannels,
  selectionListCustomers,
  selectionListMembers,
  selectionPageStrategies,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';

/** Who receives: a subscriber, a process (databus), a stream query (stream). */
export type ClientType = 'client' | 'databus' | 'stream';

const ANY_STATUS = -1;
const ALL = -1;

export function useNodes() {
  return useRead({
    queryKey: ['selection', 'nodes'],
    queryFn: ({ signal }) =>
      call(selectionListMembers({ body: { type: 'publish', customerType: '' }, signal })),
  });
}

export function useCustomers(clientType: ClientType) {
  return useRead({
    queryKey: ['selection', 'customers', clientType],
    queryFn: ({ signal }) => call(selectionListCustomers({ body: { clientType }, signal })),
  });
}

/** The channels of a customer; asked for once there is a customer. */
export function useChannels(customerId: string | undefined) {
  return useRead({
    queryKey: ['selection', 'channels', customerId],
    queryFn: ({ signal }) => call(selectionListChannels({ body: { customerId: customerId ?? '' }, signal })),
    enabled: customerId !== undefined,
  });
}

/** The strategies that a customer was given; asked for once there is a customer. */
export function useStrategies(customerId: string | undefined) {
  return useRead({
    queryKey: ['selection', 'strategies', customerId],
    queryFn: ({ signal }) =>
      call(selectionPageStrategies({ body: { customerId: customerId ?? '', size: ALL }, signal })),
    enabled: customerId !== undefined,
  });
}

export function useContainers() {
  return useRead({
    queryKey: ['selection', 'containers'],
    queryFn: ({ signal }) => call(clusterPage({ body: { status: ANY_STATUS }, signal })),
  });
}
