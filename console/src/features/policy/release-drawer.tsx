import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type PolicyRecord, policyAddVersion } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { DifferenceView } from './difference-view';
import { useRefresh } from './queries';

/** Makes a version of a draft, with what it changes against the one before. */
export default function ReleaseDrawer({ policy, onClose }: { policy: PolicyRecord; onClose: () => void }) {
  const { t } = useTranslation('policy');
  const refresh = useRefresh();
  const save = async ({ note = '' }: { note?: string }) => {
    const { number } = await call(policyAddVersion({ body: { id: policy.id, note } }));
    notify('success', t('released', { name: policy.productName, number }));
    await refresh();
  };
  return (
    <FormDrawer<{ note?: string }>
      title={t('releaseTitle', { name: policy.productName })}
      open
      saveLabel={t('release')}
      onSubmit={save}
      onClose={onClose}
      size="50%"
    >
      <p>{t('releaseHint')}</p>
      <Form.Item name="note" label={t('note')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
      {policy.newest !== null && (
        <>
          <h2>{t('sinceVersion', { number: policy.newest })}</h2>
          <DifferenceView id={policy.id} before={policy.newest} after={null} />
        </>
      )}
    </FormDrawer>
  );
}
