import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { alertCountUnread, alertPage, alertSave, alertSetStatus, audited, call } from '@/shared/api';
import { useSystemConfig } from '@/shared/hooks/use-system-config';

export const PAGE_SIZE = 20;
const DEFAULT_COUNTDOWN = 10;

/** The specification's numbers. */
export const status = { unread: 0, history: 1 } as const;
export type Status = (typeof status)[keyof typeof status];

/** How many alerts are unread, asked again at the system's countdown. The bell is only there while signed in. */
export function useUnreadCount(): number {
  const config = useSystemConfig();
  const query = useQuery({
    queryKey: ['alert', 'unread'],
    queryFn: ({ signal }) => call(alertCountUnread({ body: {}, signal })),
    refetchInterval: 1000 * Math.max(1, config?.countdown ?? DEFAULT_COUNTDOWN),
    retry: false,
  });
  return query.data ?? 0;
}

export function useAlerts(of: Status, current: number) {
  return useQuery({
    queryKey: ['alert', 'page', of, current],
    queryFn: ({ signal }) => call(alertPage({ body: { status: of, current, size: PAGE_SIZE }, signal })),
    placeholderData: keepPreviousData,
  });
}

function useChange<Values>(change: (values: Values) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    meta: { mask: true },
    onSuccess: () => client.invalidateQueries({ queryKey: ['alert'] }),
  });
}

/** Makes one alert history (its id), or all. */
export function useMarkRead() {
  return useChange((id: string | 'all') =>
    call(
      alertSetStatus({
        body: id === 'all' ? { type: 'all' } : { id },
        ...audited({ status: status.unread }, { status: status.history }),
      }),
    ),
  );
}

export interface Message {
  customerIds: string[];
  messageContent: string;
}

export function useDeliver() {
  return useChange(({ customerIds, messageContent }: Message) =>
    call(alertSave({ body: { content: messageContent, customerList: customerIds } })),
  );
}
