import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type SqlCommit, type SqlRun, sqlCommit, sqlRun } from '@/shared/api';
import { follow } from '@/shared/widgets/call-progress';

/** Without `mode` it is committed. */
export type Asked = SqlCommit & Partial<Pick<SqlRun, 'mode'>>;

/** Runs a statement; what takes longer than a second can be called off. Its failure is shown in place of the rows. */
export function useRun() {
  const { t } = useTranslation('sql-management');
  return useMutation({
    mutationFn: (body: Asked) =>
      follow(t('running'), (headers) =>
        call(body.mode ? sqlRun({ body, headers }) : sqlCommit({ body, headers })),
      ),
    meta: { quiet: true },
  });
}
