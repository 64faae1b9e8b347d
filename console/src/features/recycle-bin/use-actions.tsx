import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type RecycledRecord,
  recycleBinDelete,
  recycleBinEmpty,
  recycleBinPage,
  recycleBinPreview,
  recycleBinRestore,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

/** Restores an object, once the viewer has read what it comes back without. */
export function useRestore(): (row: RecycledRecord) => Promise<void> {
  const { t } = useTranslation('recycle-bin');
  const { modal } = App.useApp();
  const refresh = useRefresh();
  return async (row) => {
    const preview = await call(recycleBinPreview({ body: { id: row.id } })).catch(reportFailure('status'));
    modal.confirm({
      title: t('restoreTitle', { name: row.name }),
      content: (
        <>
          <p>{t(`restoreHints.${row.kind}`)}</p>
          {preview.missing.map((one) => (
            <p key={one}>{t(`missing.${one}`)}</p>
          ))}
          {preview.blocking.length > 0 && (
            <p role="alert">
              {t('blocked', { parents: preview.blocking.map((one) => t(`parents.${one}`)).join(t('and')) })}
            </p>
          )}
          {preview.nameTaken && <p role="alert">{t('nameTaken')}</p>}
        </>
      ),
      okText: t('restore'),
      okButtonProps: { disabled: preview.nameTaken || preview.blocking.length > 0 },
      mask: { closable: false },
      onOk: async () => {
        await call(recycleBinRestore({ body: { id: row.id }, ...audited(row) })).catch(
          reportFailure('submit'),
        );
        notify('success', t('restored', { name: row.name }));
        await refresh();
      },
    });
  };
}

/** Deletes an object for good, once that is confirmed. */
export function usePurge(): (row: RecycledRecord) => void {
  const { t } = useTranslation('recycle-bin');
  const refresh = useRefresh();
  return (row) =>
    confirmDelete({
      title: t('deleteTitle', { name: row.name }),
      content: t('deleteHint'),
      dependants: null,
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await call(recycleBinDelete({ body: { id: row.id, ...proof }, ...audited(row) })).catch(
          reportFailure('delete'),
        );
        notify('success', t('deleted', { name: row.name }));
        await refresh();
      },
    });
}

/** Deletes for good all that is in the bin at the time of the question; what comes later stays. */
export function useEmptying(): () => Promise<void> {
  const { t } = useTranslation('recycle-bin');
  const refresh = useRefresh();
  return async () => {
    const newest = { current: 1, size: 1, sort: 'deletedAt', order: 'desc' } as const;
    const { total, records } = await call(recycleBinPage({ body: newest })).catch(reportFailure('status'));
    const [first] = records;
    if (!first) {
      await refresh();
      return;
    }
    confirmDelete({
      title: t('emptyTitle'),
      content: t('emptyHintAll', { count: total }),
      dependants: null,
      action: t('emptyBin'),
      mode: 'post',
      run: async (proof) => {
        const body = { deletedUntil: first.deletedAt, ...proof };
        const { deleted } = await call(recycleBinEmpty({ body })).catch(reportFailure('delete'));
        notify('success', t('emptied', { count: deleted }));
        await refresh();
      },
    });
  };
}
