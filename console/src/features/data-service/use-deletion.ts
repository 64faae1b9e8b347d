import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { confirmDelete, type DeleteProof } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

type Noun = 'group' | 'api' | 'service' | 'app';

/** Asks before something of data services is deleted, and says what became of it. */
export function useDeletion(noun: Noun) {
  const { t } = useTranslation('data-service');
  const refresh = useRefresh();
  return ({ id, name }: { id: string; name: string }, remove: (proof: DeleteProof) => Promise<unknown>) =>
    confirmDelete({
      title: t(`${noun}.deleteTitle`, { name }),
      content: t(`${noun}.deleteHint`),
      action: t('delete'),
      // An app's secret is gone for good.
      isRecycled: noun !== 'app',
      dependants: noun === 'app' ? null : { deleting: `data-service/${noun}/delete`, id },
      mode: 'post',
      run: async (proof) => {
        await remove(proof).catch(reportFailure('delete'));
        notify('success', t('deleted', { name }));
        await refresh();
      },
    });
}
