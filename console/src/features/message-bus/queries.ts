import { keepPreviousData } from '@tanstack/react-query';
import {
  type BusRecordChoice,
  type BusRecordPageRequest,
  type BusTopicPageRequest,
  type BusTopicRecord,
  call,
  messageBusGet,
  messageBusListBuses,
  messageBusPage,
  messageBusPageRecords,
  messageBusPreviewRetention,
  messageBusReadRecord,
} from '@/shared/api';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';

export const MESSAGE_BUS = 'system/zbmq-management';

/** Milliseconds between two looks: each asks an agent, which reads the ends of all topics. */
const INTERVAL = 10_000;
const refreshed = [['message-bus']];

/** The lists of topics and their details are asked for again. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useBuses() {
  return useRead({
    queryKey: ['message-bus', 'buses'],
    queryFn: ({ signal }) => call(messageBusListBuses({ body: {}, signal })),
  });
}

export function useTopics(body: BusTopicPageRequest) {
  return useLive({
    queryKey: ['message-bus', 'topics', body],
    queryFn: ({ signal }) => call(messageBusPage({ body, signal })),
    enabled: body.containerId !== '',
    placeholderData: keepPreviousData,
    interval: INTERVAL,
  });
}

export async function allTopics(body: BusTopicPageRequest): Promise<BusTopicRecord[]> {
  return (await call(messageBusPage({ body: { ...body, current: 1, size: -1 } }))).records;
}

/** One topic, named by its bus and its name. */
export interface TopicPlace {
  containerId: string;
  topic: string;
}

export function useTopic(place: TopicPlace) {
  return useLive({
    queryKey: ['message-bus', 'topic', place],
    queryFn: ({ signal }) => call(messageBusGet({ body: place, signal })),
    interval: INTERVAL,
  });
}

/** Records as they were when they were asked for: new ones come with the next look. */
export function useRecords(body: BusRecordPageRequest) {
  return useRead({
    queryKey: ['message-bus', 'records', body],
    queryFn: ({ signal }) => call(messageBusPageRecords({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Rows of one record. Each look is in the operation log, so what was read stays. */
export function useRecordRows(body: BusRecordChoice) {
  return useRead({
    queryKey: ['message-bus', 'record', body],
    queryFn: ({ signal }) => call(messageBusReadRecord({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useRetentionPreview(place: TopicPlace, retentionHours: number | null) {
  return useRead({
    queryKey: ['message-bus', 'retention', place, retentionHours],
    queryFn: ({ signal }) =>
      call(messageBusPreviewRetention({ body: { ...place, retentionHours: retentionHours ?? 1 }, signal })),
    enabled: retentionHours !== null,
    staleTime: 0,
  });
}
