import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type DataImportRun, importRun } from '@/shared/api';
import { follow } from '@/shared/widgets/call-progress';

/** Imports; what takes longer than a second shows its progress and can be called off. Its failure is shown in place. */
export function useImport() {
  const { t } = useTranslation('sql-management');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: DataImportRun) =>
      follow(t('import.title'), (headers) => call(importRun({ body, headers }))),
    onSuccess: ({ committed }) =>
      committed ? queries.invalidateQueries({ queryKey: ['sql', 'catalog'] }) : undefined,
    meta: { quiet: true },
  });
}
