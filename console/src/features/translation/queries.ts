import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import {
  call,
  type TextPageRequest,
  type TextRecord,
  type TextsFile,
  translationExport,
  translationPage,
} from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { saveText } from '@/shared/lib/save-file';

export const TRANSLATION = 'resource/translation';

export type Show = NonNullable<TextPageRequest['show']>;
export const shows: readonly Show[] = ['all', 'custom', 'one-language', 'outdated', 'unused'];

export function useTexts(body: TextPageRequest) {
  return useRead({
    queryKey: ['translation', body],
    queryFn: ({ signal }) => call(translationPage({ body, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export async function allTexts(body: TextPageRequest): Promise<TextRecord[]> {
  return (await call(translationPage({ body: { ...body, current: 1, size: -1 } }))).records;
}

export function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['translation'] });
}

/** Hands the viewer the custom texts, or all texts as they are read now, as a file. */
export async function exportTexts(customOnly: boolean): Promise<number> {
  const file: TextsFile = await call(translationExport({ body: { customOnly } }));
  const name = customOnly ? 'zcbus-custom-texts.json' : 'zcbus-texts.json';
  saveText(name, `${JSON.stringify(file, null, 2)}\n`, 'application/json');
  return Object.keys(file.texts).length;
}
