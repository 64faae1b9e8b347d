import { Form, Input, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  notificationAddReceiver,
  notificationEditReceiver,
  type ReceiverRecord,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useCustomers } from '@/shared/widgets/selectors/queries';
import { levels, ways } from './looks';
import { useRefresh } from './queries';
import { QuietFields } from './quiet-fields';
import { initialOf, type ReceiverForm, receiverOf } from './receiver-form';
import { WayFields } from './way-fields';

interface Props {
  /** Left out: a new receiver. */
  edit?: ReceiverRecord | undefined;
  onClose: () => void;
}

export default function ReceiverDrawer({ edit, onClose }: Props) {
  const { t, i18n } = useTranslation('notification');
  const refresh = useRefresh();
  const save = async (values: ReceiverForm) => {
    const body = receiverOf({ ...values, way: edit?.way ?? values.way });
    if (edit) await call(notificationEditReceiver({ body: { ...body, id: edit.id }, ...audited(edit) }));
    else await call(notificationAddReceiver({ body }));
    notify('success', t('saved', { name: values.name }));
    await refresh();
  };
  return (
    <FormDrawer<ReceiverForm>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('editTitle', { name: edit.name }) : t('add')}
      open
      initialValues={initialOf(edit, i18n.language)}
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
      <Form.Item name="way" label={t('way')} extra={edit && t('wayHint')}>
        <Select
          disabled={edit !== undefined}
          options={ways.map((value) => ({ value, label: t(`ways.${value}`) }))}
        />
      </Form.Item>
      <WayFields edit={edit} />
      <SubjectFields />
      <QuietFields />
      <Form.Item name="enabled" label={t('enabled')} extra={t('enabledHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
    </FormDrawer>
  );
}

/** What the receiver is notified of, and in which language. */
function SubjectFields() {
  const { t } = useTranslation('notification');
  const customers = useCustomers('client');
  return (
    <>
      <Form.Item name="customerId" label={t('scope')} extra={customers.error?.message}>
        <Select
          allowClear
          loading={customers.isPending}
          placeholder={t('everything')}
          showSearch={{ optionFilterProp: 'label' }}
          options={customers.data?.map(({ customerid, name }) => ({ value: customerid, label: name }))}
        />
      </Form.Item>
      <Form.Item name="minLevel" label={t('minLevel')} extra={t('minLevelHint')}>
        <Select options={levels.map((value) => ({ value, label: t(`levels.${value}`) }))} />
      </Form.Item>
      <Form.Item name="recovery" label={t('recovery')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="language" label={t('language')}>
        <Select
          options={(['zh', 'en'] as const).map((value) => ({ value, label: t(`languages.${value}`) }))}
        />
      </Form.Item>
    </>
  );
}
