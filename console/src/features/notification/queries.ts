import { keepPreviousData } from '@tanstack/react-query';
import {
  alertPageMutes,
  call,
  type MutePageRequest,
  type NoticeDeliveryPageRequest,
  notificationPageDeliveries,
  notificationPageReceivers,
  type ReceiverPageRequest,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const MESSAGES = 'system/message-management';

const refreshed = [['notification'], ['alert']];

/** Everything that is shown of notices is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useDeliveries(body: NoticeDeliveryPageRequest) {
  return useLive({
    queryKey: ['notification', 'deliveries', body],
    topics: ['alert', 'call'],
    queryFn: ({ signal }) => call(notificationPageDeliveries({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every delivery that the filter leaves, sorted as the list is. */
export async function allDeliveries(body: NoticeDeliveryPageRequest) {
  return (await call(notificationPageDeliveries({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useReceivers(body: ReceiverPageRequest) {
  return useLive({
    queryKey: ['notification', 'receivers', body],
    topics: ['alert', 'call'],
    queryFn: ({ signal }) => call(notificationPageReceivers({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every receiver that the filter leaves, sorted as the list is. */
export async function allReceivers(body: ReceiverPageRequest) {
  return (await call(notificationPageReceivers({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useMutes(body: MutePageRequest) {
  return useLive({
    queryKey: ['notification', 'mutes', body],
    topics: ['call'],
    queryFn: ({ signal }) => call(alertPageMutes({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every mute in force that the filter leaves, sorted as the list is. */
export async function allMutes(body: MutePageRequest) {
  return (await call(alertPageMutes({ body: { ...body, current: 1, size: -1 } }))).records;
}
