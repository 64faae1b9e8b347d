import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type UserListRecord, userSend } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { useRefresh, useTenants } from './queries';

interface Props {
  user: UserListRecord;
  onClose: () => void;
}

/** An account is handed to another tenant. */
export default function SendDrawer({ user, onClose }: Props) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const tenants = (useTenants().data ?? []).filter(({ customerid }) => customerid !== user.customerId);
  const save = async ({ customerId }: { customerId: string }) => {
    await call(userSend({ body: { id: user.userId, customerId }, ...audited(user, { customerId }) }));
    notify('success', t('user.sent', { name: user.userName }));
    await refresh();
  };
  return (
    <FormDrawer title={t('user.sendTitle', { name: user.userName })} open onSubmit={save} onClose={onClose}>
      <Form.Item
        name="customerId"
        label={t('user.tenant')}
        extra={t('user.sendHint')}
        rules={[{ required: true, message: t('user.fault.tenant') }]}
      >
        <Select options={tenants.map(({ customerid, name }) => ({ value: customerid, label: name }))} />
      </Form.Item>
    </FormDrawer>
  );
}
