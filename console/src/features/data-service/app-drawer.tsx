import { Form, Input, InputNumber, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  type AppInput,
  type AppRecord,
  type AppSecret,
  audited,
  call,
  dataServiceAddApp,
  dataServiceEditApp,
} from '@/shared/api';
import { zone } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { wallTime } from '@/shared/lib/zones';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { MOMENT, MomentInput } from '@/shared/ui/moment-input';
import { upTo } from '@/shared/ui/up-to';
import { useApiChoice, useRefresh } from './queries';

interface Props {
  /** Left out: a new app. */
  edit?: AppRecord | undefined;
  /** A new app's secret. */
  onSecret: (secret: AppSecret) => void;
  onClose: () => void;
}

const MAX_CALLS = 1_000_000;

export default function AppDrawer({ edit, onSecret, onClose }: Props) {
  const { t } = useTranslation('data-service');
  const refresh = useRefresh();
  const apis = useApiChoice();
  const save = async (values: AppInput) => {
    const body = { ...values, expiresAt: values.expiresAt ? new Date(values.expiresAt).toISOString() : null };
    if (edit) {
      await call(dataServiceEditApp({ body: { ...body, id: edit.id }, ...audited(edit, body) }));
      notify('success', t('saved', { name: values.name }));
    } else onSecret(await call(dataServiceAddApp({ body })));
    await refresh();
  };
  return (
    <FormDrawer<AppInput>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('app.editTitle', { name: edit.name }) : t('app.add')}
      open
      initialValues={
        edit
          ? { ...edit, expiresAt: edit.expiresAt ? wallTime(edit.expiresAt, zone()) : '' }
          : { enabled: true, addresses: [], apis: [] }
      }
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(100)} />
      </Form.Item>
      <Form.Item name="apis" label={t('app.grants')} extra={apis.error?.message}>
        <Select
          mode="multiple"
          optionFilterProp="label"
          loading={apis.isPending}
          options={(apis.data?.records ?? []).map(({ id, name, path }) => ({
            value: id,
            label: `${name} (${path})`,
          }))}
        />
      </Form.Item>
      <Form.Item name="addresses" label={t('app.addresses')} extra={t('app.addressesHint')}>
        <Select mode="tags" open={false} tokenSeparators={[',', ' ']} />
      </Form.Item>
      <Form.Item name="perMinute" label={t('app.perMinute')} extra={t('app.perMinuteHint')}>
        <InputNumber controls={false} min={1} max={MAX_CALLS} precision={0} />
      </Form.Item>
      <Form.Item
        name="expiresAt"
        label={t('app.expires')}
        extra={t('app.expiresHint')}
        rules={[{ pattern: MOMENT, message: t('app.expiresFault') }]}
      >
        <MomentInput />
      </Form.Item>
      <Form.Item name="enabled" label={t('app.enabled')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}
