import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type ManagedService, serviceEdit } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { serviceTitle } from './kinds';
import { logLevels, useRefreshServices } from './queries';

type Values = Pick<ManagedService, 'logLevel' | 'remark'>;

/** A service's log level, which counts at once, and its remark. */
export default function EditDrawer({ service, onClose }: { service: ManagedService; onClose: () => void }) {
  const { t } = useTranslation('service');
  const refresh = useRefreshServices();
  const before: Values = { logLevel: service.logLevel, remark: service.remark };
  const save = async (values: Values) => {
    await call(serviceEdit({ body: { id: service.id, ...values }, ...audited(before, values) }));
    notify('success', t('saved', { name: service.serviceName }));
    await refresh();
  };
  return (
    <FormDrawer<Values>
      asked="modify"
      title={t('editTitle', { name: service.serviceName, type: serviceTitle(service.type) })}
      open
      initialValues={before}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item name="logLevel" label={t('logLevel')} extra={t('logLevelHint')}>
        <Select options={logLevels.map((value) => ({ value, label: value }))} />
      </Form.Item>
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea {...upTo(200)} rows={3} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
