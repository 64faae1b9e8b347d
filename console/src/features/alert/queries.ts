import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AlertPageRequest,
  alertAcknowledge,
  alertAddMute,
  alertAssign,
  alertCountUnread,
  alertPage,
  alertPageAssignees,
  alertResolve,
  alertSave,
  alertSetStatus,
  audited,
  call,
  type MuteRequest,
} from '@/shared/api';
import { useSystemConfig } from '@/shared/hooks/use-system-config';

export const PAGE_SIZE = 20;
const DEFAULT_COUNTDOWN = 10;
const announced = { topics: ['alert'] } as const;

/** The specification's numbers. */
export const status = { unread: 0, history: 1 } as const;

/** Behind this menu entry stand mutes, and who looks after an alert. */
export const MESSAGES = 'system/message-management';

/** What part of the alerts is listed, as the server takes it. */
export type View = Pick<AlertPageRequest, 'status' | 'open' | 'acknowledged' | 'mine'>;

/** How many alerts are unread, asked again at the system's countdown. The bell is only there while signed in. */
export function useUnreadCount(): number {
  const config = useSystemConfig();
  const query = useQuery({
    queryKey: ['alert', 'unread'],
    queryFn: ({ signal }) => call(alertCountUnread({ body: {}, signal })),
    meta: announced,
    refetchInterval: 1000 * Math.max(1, config?.countdown ?? DEFAULT_COUNTDOWN),
    retry: false,
  });
  return query.data ?? 0;
}

export function useAlerts(view: View, current: number) {
  return useQuery({
    queryKey: ['alert', 'page', view, current],
    meta: announced,
    queryFn: ({ signal }) => call(alertPage({ body: { ...view, current, size: PAGE_SIZE }, signal })),
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

/** Notes that the viewer knows of an alert. */
export function useAcknowledge() {
  return useChange((id: string) => call(alertAcknowledge({ body: { id } })));
}

/** Notes that what an alert is about is mended. */
export function useResolve() {
  return useChange((id: string) => call(alertResolve({ body: { id } })));
}

/** Assigns an alert to a user, or to none. */
export function useAssign(id: string) {
  return useChange((userId: string | null) => call(alertAssign({ body: { id, userId } })));
}

/** Users that an alert can be assigned to, whose names contain what is searched. */
export function useAssignees(id: string, search: string) {
  return useQuery({
    queryKey: ['alert', 'assignees', id, search],
    queryFn: ({ signal }) => call(alertPageAssignees({ body: { id, search }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useMute() {
  return useChange((mute: MuteRequest) => call(alertAddMute({ body: mute })));
}
