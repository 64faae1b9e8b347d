import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  call,
  type UploadPageRequest,
  type UploadRecord,
  uploadContent,
  uploadGetLimits,
  uploadPage,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { useRefreshing } from '@/shared/hooks/use-refreshing';
import { reportFailure } from '@/shared/lib/report-failure';
import { saveFile } from '@/shared/lib/save-file';

export const UPLOADS = 'resource/uploads';

const refreshed = [['upload']];

/** The list and how much is used are asked for again. */
export function useRefresh(): () => Promise<unknown> {
  return useRefreshing(refreshed);
}

export function useUploads(body: UploadPageRequest) {
  return useRead({
    queryKey: ['upload', 'page', body],
    queryFn: ({ signal }) => call(uploadPage({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export async function allUploads(body: UploadPageRequest): Promise<UploadRecord[]> {
  return (await call(uploadPage({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useLimits() {
  return useQuery({
    queryKey: ['upload', 'limits'],
    queryFn: ({ signal }) => call(uploadGetLimits({ body: {}, signal })),
    staleTime: 0,
  });
}

/** Hands the viewer a file to keep. */
export async function download({ id, name }: UploadRecord): Promise<void> {
  const content = await call(uploadContent({ query: { id }, parseAs: 'blob' })).catch(
    reportFailure('status'),
  );
  saveFile(name, content);
}
