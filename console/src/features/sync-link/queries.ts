import { keepPreviousData } from '@tanstack/react-query';
import {
  call,
  type LinkDetail,
  type LinkDocument,
  type LinkRecord,
  type PrecheckRecord,
  syncLinkApplyDocument,
  syncLinkExport,
  syncLinkGet,
  syncLinkPage,
  syncLinkPrecheck,
} from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { replication } from '@/shared/live/topics';
import type { TableRequest } from '@/shared/ui/data-table';
import { follow } from '@/shared/widgets/call-progress';

export interface LinkFilter {
  search: string;
  /** Empty: every state. */
  state: string;
}

function asked(request: TableRequest, { search, state }: LinkFilter) {
  return { ...request, search: search || null, state: state ? [state as LinkRecord['state']] : null };
}

export function useLinks(request: TableRequest, filter: LinkFilter) {
  const body = asked(request, filter);
  return useLive({
    queryKey: ['sync-link', 'page', body],
    topics: replication,
    queryFn: ({ signal }) => call(syncLinkPage({ body, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Every link that the filter leaves, sorted as the list is. */
export async function allLinks(request: TableRequest, filter: LinkFilter): Promise<readonly LinkRecord[]> {
  const body = { ...asked(request, filter), current: 1, size: -1 };
  return (await call(syncLinkPage({ body }))).records;
}

export function useLink(id: string) {
  return useLive<LinkDetail>({
    queryKey: ['sync-link', 'get', id],
    topics: replication,
    queryFn: ({ signal }) => call(syncLinkGet({ body: { id }, signal })),
  });
}

/** `title`: name of the action in the progress dialog. */
export function precheckLink(document: LinkDocument, title: string): Promise<PrecheckRecord> {
  return follow(title, (headers) => call(syncLinkPrecheck({ body: { document }, headers })));
}

/** Whether a link has this name already: applying its document would change that link instead of making one. */
export async function isNameTaken(name: string): Promise<boolean> {
  const { records } = await call(syncLinkPage({ body: { search: name, size: -1 } }));
  return records.some((link) => link.name === name);
}

/** Creates the link and starts it; answers the task that runs on it. `title`: as for the pre-check. */
export async function createLink(
  document: LinkDocument,
  title: string,
): Promise<{ id: string; taskId: string }> {
  const { id } = await follow(title, (headers) =>
    call(syncLinkApplyDocument({ body: { document, start: true }, headers })),
  );
  const { taskId } = await call(syncLinkGet({ body: { id } }));
  return { id, taskId };
}

/** The link as code, without passwords. */
export async function exportLink(id: string) {
  return (await call(syncLinkExport({ body: { id } }))).document;
}
