import { Form, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatabaseRecord } from '@/shared/api';
import { placeText } from '@/shared/widgets/sync/place';
import { useDatabasesOf } from './queries';

/** Which type of target, and which of the customer's databases of that type. The database says how it is loaded. */
export function TargetFields() {
  const { t } = useTranslation('subscribe');
  const form = Form.useFormInstance();
  const customerId: string | undefined = Form.useWatch('customerId', form);
  const { data, error } = useDatabasesOf(customerId);
  const [type, setType] = useState('');
  const databases = data?.records ?? [];
  const field = { disabled: !customerId, loading: customerId !== undefined && !data && !error };
  const narrow = (kind: string) => {
    setType(kind);
    form.resetFields(['databaseId']);
  };
  const choose = (id: string) =>
    form.setFieldValue('loadType', databases.find((one) => one.id === id)?.loadType);
  return (
    <>
      <Form.Item label={t('master.targetType')} htmlFor="master-target-type">
        <Select
          {...field}
          id="master-target-type"
          value={type}
          onChange={narrow}
          options={[{ value: '', label: t('master.anyTargetType') }, ...typesOf(databases)]}
        />
      </Form.Item>
      <Form.Item
        name="databaseId"
        label={t('master.target')}
        rules={[{ required: true, message: t('master.chooseTarget') }]}
        extra={error?.message}
      >
        <Select {...field} onChange={choose} options={databases.filter(isOf(type)).map(optionOf)} />
      </Form.Item>
    </>
  );
}

const isOf =
  (type: string) =>
  ({ target }: DatabaseRecord) =>
    type === '' || target.kind === type;

const optionOf = ({ id, name, target }: DatabaseRecord) => ({
  value: id,
  label: `${name} · ${placeText(target)}`,
});

/** The types of some databases, each once. */
function typesOf(databases: readonly DatabaseRecord[]) {
  const kinds = new Map(databases.map(({ target }) => [target.kind, target.place.product] as const));
  return [...kinds].map(([value, label]) => ({ value, label }));
}
