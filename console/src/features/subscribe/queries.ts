import { keepPreviousData, useMutation } from '@tanstack/react-query';
import {
  call,
  type DatabaseRecord,
  type EtlRule,
  type SheetRecord,
  selectionListMembers,
  subscribeAcceptGap,
  subscribeAddChannel,
  subscribeAddCustomer,
  subscribeAddDatabase,
  subscribeAddEtlRule,
  subscribeAddMaster,
  subscribeAddSubscriptions,
  subscribeDeleteChannel,
  subscribeDeleteCustomer,
  subscribeDeleteDatabase,
  subscribeDeleteEtlRules,
  subscribeDeleteMaster,
  subscribeEditChannel,
  subscribeEditCustomer,
  subscribeEditDatabase,
  subscribeEditEtlRule,
  subscribeEditMaster,
  subscribeEditSubscription,
  subscribeFindIncrementalPosition,
  subscribeLimitSubscriptions,
  subscribeListEtlRules,
  subscribePageChannels,
  subscribePageCustomers,
  subscribePageDatabases,
  subscribePageMasters,
  subscribePagePublished,
  subscribePageSheet,
  subscribePreviewEdit,
  subscribePreviewRebalance,
  subscribePreviewTransfer,
  subscribeRebalance,
  subscribeRecoverSubscriptions,
  subscribeResetAndStart,
  subscribeResetSubscriptions,
  subscribeResumeSubscriptions,
  subscribeSetCleaning,
  subscribeStartChannel,
  subscribeStartFull,
  subscribeStartIncrementalSubscription,
  subscribeStopChannel,
  subscribeSuspendSubscriptions,
  subscribeTransferTables,
  subscribeUnbindSubscriptions,
} from '@/shared/api';
import type { Asked } from '@/shared/api/notices';
import { useLive, useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import type { StartPosition } from '@/shared/widgets/sync/incremental-dialog';
import type { PlainTableVerb } from '@/shared/widgets/sync/queries';
import { type ClientType, useAudience } from './audience';

const KEY = 'subscribe';
/** What is kept of the data sheet begins so; all of it is asked for again after a change. */
export const sheetKey = KEY;

/** What is asked, of whom or of what; each answers when it is done. */
export const calls = {
  addCustomer: subscribeAddCustomer,
  editCustomer: subscribeEditCustomer,
  deleteCustomer: subscribeDeleteCustomer,
  addDatabase: subscribeAddDatabase,
  editDatabase: subscribeEditDatabase,
  deleteDatabase: subscribeDeleteDatabase,
  addMaster: subscribeAddMaster,
  editMaster: subscribeEditMaster,
  deleteMaster: subscribeDeleteMaster,
  addChannel: subscribeAddChannel,
  editChannel: subscribeEditChannel,
  startChannel: subscribeStartChannel,
  stopChannel: subscribeStopChannel,
  deleteChannel: subscribeDeleteChannel,
  addTables: subscribeAddSubscriptions,
  editTable: subscribeEditSubscription,
  previewEdit: subscribePreviewEdit,
  clean: subscribeSetCleaning,
  limit: subscribeLimitSubscriptions,
  unbind: subscribeUnbindSubscriptions,
  recover: subscribeRecoverSubscriptions,
  previewTransfer: subscribePreviewTransfer,
  transfer: subscribeTransferTables,
  previewRebalance: subscribePreviewRebalance,
  rebalance: subscribeRebalance,
} as const;

export type MasterBody = Parameters<typeof subscribeAddMaster>[0]['body'];

const steering = {
  reload: subscribeStartFull,
  suspend: subscribeSuspendSubscriptions,
  resume: subscribeResumeSubscriptions,
  reset: subscribeResetSubscriptions,
  'reset-start': subscribeResetAndStart,
  'accept-gap': subscribeAcceptGap,
} as const;

const refreshed = [[KEY]];

/** Everything that is shown of subscriptions is asked for again after something was done. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

/** Runs one order, named `asked` in its error message, and refreshes what is shown. */
export function useAsk<Body, Data>(asked: Asked, ask: (body: Body) => Promise<Data>) {
  const refresh = useRefresh();
  return useMutation({ mutationFn: ask, meta: { asked }, onSettled: refresh });
}

export interface SearchFilter {
  search: string;
}

/** Ids; empty: of all. */
export interface OwnerFilter extends SearchFilter {
  customer: string;
  node: string;
}

type ListAsked = readonly [clientType: ClientType, request: TableRequest, filter: OwnerFilter];

function customersAsked(...[clientType, request, { search }]: ListAsked) {
  return { ...request, search, clientType };
}

function databasesAsked(...[clientType, request, { search, customer }]: ListAsked) {
  return { ...request, search, clientType, customerId: customer || null };
}

function mastersAsked(...[clientType, request, filter]: ListAsked) {
  return { ...databasesAsked(clientType, request, filter), nodeMaster: filter.node || null };
}

/** Every line that a filter leaves, sorted as the list is. */
const whole = { current: 1, size: -1 } as const;
export const allCustomers = async (...asked: ListAsked) =>
  (await call(subscribePageCustomers({ body: { ...customersAsked(...asked), ...whole } }))).records;
export const allDatabases = async (...asked: ListAsked) =>
  (await call(subscribePageDatabases({ body: { ...databasesAsked(...asked), ...whole } }))).records;
export const allMasters = async (...asked: ListAsked) =>
  (await call(subscribePageMasters({ body: { ...mastersAsked(...asked), ...whole } }))).records;

export function useCustomers(request: TableRequest, filter: OwnerFilter) {
  const body = customersAsked(useAudience().clientType, request, filter);
  return useLive({
    queryKey: [KEY, 'customers', body],
    topics: replication,
    queryFn: ({ signal }) => call(subscribePageCustomers({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every customer that no sync link made, to choose from. */
export function useOwnCustomers() {
  const { clientType } = useAudience();
  return useRead({
    queryKey: [KEY, 'own-customers', clientType],
    queryFn: async ({ signal }) => {
      const page = await call(
        subscribePageCustomers({ body: { clientType, size: -1, sort: 'name', order: 'asc' }, signal }),
      );
      return page.records.filter(({ linkId }) => linkId === null);
    },
  });
}

export function useDatabases(request: TableRequest, filter: OwnerFilter) {
  const body = databasesAsked(useAudience().clientType, request, filter);
  return useLive({
    queryKey: [KEY, 'databases', body],
    topics: replication,
    queryFn: ({ signal }) => call(subscribePageDatabases({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every publish node that no sync link steers, to choose from. */
export function usePublishNodes() {
  return useRead({
    queryKey: [KEY, 'nodes'],
    queryFn: ({ signal }) => call(selectionListMembers({ body: { type: 'publish', ownOnly: true }, signal })),
  });
}

/** The databases of one customer, to choose from. */
export function useDatabasesOf(customerId: string | undefined) {
  return useRead({
    queryKey: [KEY, 'databases-of', customerId],
    queryFn: ({ signal }) =>
      call(subscribePageDatabases({ body: { customerId: customerId ?? '', size: -1 }, signal })),
    enabled: customerId !== undefined,
  });
}

/** Ids of all databases of a customer. */
export async function databasesOf(customerId: string): Promise<readonly string[]> {
  const page = await call(subscribePageDatabases({ body: { customerId, size: -1 } }));
  return page.records.map(({ id }) => id);
}

/** One database's settings, read once: what is typed into a form must not change under the hand. */
export function useDatabase(databaseId: string) {
  return useRead<DatabaseRecord | undefined>({
    queryKey: [KEY, 'database', databaseId],
    queryFn: async ({ signal }) =>
      (await call(subscribePageDatabases({ body: { databaseId }, signal }))).records[0],
    enabled: databaseId !== '',
    gcTime: 0,
  });
}

export function useMasters(request: TableRequest, filter: OwnerFilter) {
  const body = mastersAsked(useAudience().clientType, request, filter);
  return useLive({
    queryKey: [KEY, 'masters', body],
    topics: replication,
    queryFn: ({ signal }) => call(subscribePageMasters({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The channels of one master. */
export function useChannelsOf(controlId: string) {
  const body = { controlId, size: -1 };
  return useLive({
    queryKey: [KEY, 'channels', controlId],
    topics: replication,
    queryFn: ({ signal }) => call(subscribePageChannels({ body, signal })),
  });
}

/** Tables that a master's node publishes and that it does not have. */
export function usePublished(controlId: string, request: TableRequest, search: string) {
  const body = { controlId, ...request, search };
  return useRead({
    queryKey: [KEY, 'published', body],
    queryFn: ({ signal }) => call(subscribePagePublished({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** All of them that a search finds, on all pages. */
export async function allPublished(controlId: string, search: string) {
  return (await call(subscribePagePublished({ body: { controlId, search, size: -1 } }))).records;
}

export interface SheetFilter extends SearchFilter {
  /** Empty: every state. */
  state: string;
  /** Ids; empty: of all. */
  customer: string;
  control: string;
  channel: string;
}

function sheetAsked(clientType: ClientType, request: TableRequest, filter: SheetFilter) {
  return {
    clientType,
    ...request,
    search: filter.search,
    state: filter.state ? [filter.state as SheetRecord['state']] : [],
    customerId: filter.customer || null,
    controlId: filter.control || null,
    channelId: filter.channel || null,
  };
}

export function useSheet(request: TableRequest, filter: SheetFilter) {
  const body = sheetAsked(useAudience().clientType, request, filter);
  return useLive({
    queryKey: [KEY, 'sheet', body],
    topics: replication,
    queryFn: ({ signal }) => call(subscribePageSheet({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every line that the filter leaves, sorted as the list is. */
export async function wholeSheet(
  clientType: ClientType,
  request: TableRequest,
  filter: SheetFilter,
): Promise<readonly SheetRecord[]> {
  return (
    await call(
      subscribePageSheet({ body: { ...sheetAsked(clientType, request, filter), current: 1, size: -1 } }),
    )
  ).records;
}

/** What can be asked of tables besides what every subscribed table knows. */
export type SheetVerb = PlainTableVerb | 'recover' | 'unbind';

export function useSheetAction() {
  return useAsk('status', ({ verb, tables }: { verb: SheetVerb; tables: string[] }) =>
    call((verb === 'recover' || verb === 'unbind' ? calls[verb] : steering[verb])({ body: { tables } })),
  );
}

/** Finding a place among the changes of tables, and letting them begin there. */
export function useIncrementalCalls() {
  const refresh = useRefresh();
  return (rows: readonly SheetRecord[]) => {
    const tables = rows.map(({ id }) => id);
    return {
      find: (place: StartPosition) => call(subscribeFindIncrementalPosition({ body: { tables, ...place } })),
      start: (place: StartPosition & { hold: boolean }) =>
        call(subscribeStartIncrementalSubscription({ body: { tables, ...place } })).finally(refresh),
    };
  };
}

/** A subscribed table's ETL rules, by column. */
export function useRules(table: string) {
  return useRead({
    queryKey: [KEY, 'rules', table],
    queryFn: ({ signal }) => call(subscribeListEtlRules({ body: { table }, signal })),
  });
}

interface RuleChange {
  table: string;
  /** Of the rule that is changed; left out: a new one is made. */
  column: string | undefined;
  rule: EtlRule;
}

export function useRuleChange() {
  const refresh = useRefresh();
  return async ({ table, column, rule }: RuleChange) => {
    if (column === undefined) await call(subscribeAddEtlRule({ body: { table, rule } }));
    else await call(subscribeEditEtlRule({ body: { table, column, rule } }));
    await refresh();
  };
}

export function useRuleDeletion() {
  return useAsk('delete', (body: { table: string; columns: string[] }) =>
    call(subscribeDeleteEtlRules({ body })),
  );
}
