import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, translationPage, translationResetAll } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { exportTexts, TRANSLATION } from './queries';

interface Props {
  onImport: () => void;
  onChanged: () => Promise<unknown>;
}

/** What concerns all texts. */
export function TextActions({ onImport, onChanged }: Props) {
  const { t } = useTranslation('translation');
  const mayEdit = useMay(TRANSLATION)('edit');
  const resetAll = useResetAll(onChanged);
  const save = async (customOnly: boolean) => {
    const count = await exportTexts(customOnly).catch(reportFailure('export'));
    notify('success', t('exported', { count }));
  };
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'custom', label: t('exportCustom') },
            { key: 'all', label: t('exportAll') },
          ],
          onClick: ({ key }) => void save(key === 'custom').catch(() => undefined),
        }}
      >
        <Button>{t('export')}</Button>
      </Dropdown>
      {mayEdit && <Button onClick={onImport}>{t('import.open')}</Button>}
      {mayEdit && (
        <Button danger onClick={() => void resetAll().catch(() => undefined)}>
          {t('resetAll')}
        </Button>
      )}
    </>
  );
}

/** Removes the custom texts that are there at the time of the question; what is written later stays. */
function useResetAll(onChanged: () => Promise<unknown>): () => Promise<void> {
  const { t } = useTranslation('translation');
  return async () => {
    const newest = { current: 1, size: 1, show: 'custom', sort: 'updatedAt', order: 'desc' } as const;
    const { total, records } = await call(translationPage({ body: newest })).catch(reportFailure('status'));
    const until = records[0]?.updatedAt;
    if (!until) {
      notify('info', t('emptyCustom'));
      return;
    }
    confirmDelete({
      title: t('resetAllTitle'),
      content: t('resetAllHint', { count: total }),
      dependants: null,
      action: t('resetAll'),
      mode: 'post',
      run: async (proof) => {
        const { removed } = await call(translationResetAll({ body: { until, ...proof } })).catch(
          reportFailure('modify'),
        );
        notify('success', t('resetDone', { count: removed }));
        await onChanged();
      },
    });
  };
}
