import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, type CustomerRecord, call, type NewCustomer, tenantAdd, tenantEdit } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh } from './queries';

interface Props {
  /** Left out: a new tenant. */
  edit?: CustomerRecord;
  onClose: () => void;
}

export default function TenantDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('authority');
  const refresh = useRefresh();
  const save = async (values: NewCustomer) => {
    if (edit)
      await call(tenantEdit({ body: { ...values, customerid: edit.customerid }, ...audited(edit, values) }));
    else await call(tenantAdd({ body: values }));
    notify('success', t(edit ? 'tenant.changed' : 'tenant.added', { name: values.name }));
    await refresh();
  };
  return (
    <FormDrawer<NewCustomer>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('tenant.editTitle', { name: edit.name }) : t('tenant.add')}
      open
      initialValues={edit ?? { status: '0', secondFactor: 'optional' }}
      onSubmit={save}
      onClose={onClose}
    >
      {!edit && (
        <Form.Item
          name="code"
          label={t('tenant.code')}
          extra={t('codeHint')}
          rules={[{ required: true, pattern: /^[a-z0-9][a-z0-9-]*$/, message: t('codeFault') }]}
        >
          <Input {...upTo(32)} />
        </Form.Item>
      )}
      <Form.Item
        name="name"
        label={t('tenant.name')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(100)} />
      </Form.Item>
      <Form.Item name="status" label={t('user.status')} extra={t('tenant.statusHint')}>
        <Select
          disabled={edit?.builtIn}
          options={(['0', '1'] as const).map((value) => ({ value, label: t(`status.${value}`) }))}
        />
      </Form.Item>
      <Form.Item name="secondFactor" label={t('user.secondFactor')} extra={t('tenant.secondFactorHint')}>
        <Select
          options={(['optional', 'administrators', 'everybody'] as const).map((value) => ({
            value,
            label: t(`tenant.secondFactor.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item name="contact" label={t('tenant.contact')}>
        <Input {...upTo(50)} />
      </Form.Item>
      <Form.Item name="phone" label={t('tenant.phone')}>
        <Input {...upTo(20)} inputMode="tel" />
      </Form.Item>
      <Form.Item name="description" label={t('description')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}
