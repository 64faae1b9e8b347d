import { Form, Input, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type DataServiceInput,
  type DataServiceRecord,
  dataServiceAddService,
  dataServiceEditService,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh } from './queries';

interface Props {
  /** Left out: a new data service. */
  edit?: DataServiceRecord | undefined;
  onClose: () => void;
}

type Values = Pick<DataServiceInput, 'name' | 'port'> & { host: string };

const usual = { host: '127.0.0.1', port: 9100 };

/** What a data service is called and where it listens. */
export default function ServiceDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('data-service');
  const refresh = useRefresh();
  const save = async (values: Values) => {
    if (edit)
      await call(dataServiceEditService({ body: { ...values, id: edit.id }, ...audited(edit, values) }));
    else await call(dataServiceAddService({ body: values }));
    notify('success', t('saved', { name: values.name }));
    await refresh();
  };
  return (
    <FormDrawer<Values>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('service.editTitle', { name: edit.name }) : t('service.add')}
      open
      initialValues={edit ?? usual}
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
      <Form.Item
        name="host"
        label={t('service.host')}
        extra={t('service.hostHint')}
        rules={[{ required: true, pattern: /^[A-Za-z0-9.:_-]+$/, message: t('service.hostFault') }]}
      >
        <Input {...upTo(255)} />
      </Form.Item>
      <Form.Item
        name="port"
        label={t('service.port')}
        rules={[{ required: true, message: t('service.portFault') }]}
      >
        <InputNumber controls={false} min={1} max={65535} precision={0} />
      </Form.Item>
    </FormDrawer>
  );
}
