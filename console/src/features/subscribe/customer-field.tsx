import { Form, Select } from 'antd';
import { useWords } from './audience';
import { useOwnCustomers } from './queries';

/** One of the subscribers that no sync link made. */
export function CustomerField({ onChange }: { onChange?: () => void }) {
  const { t } = useWords();
  const { data, error } = useOwnCustomers();
  return (
    <Form.Item
      name="customerId"
      label={t('customer.name')}
      rules={[{ required: true, message: t('customer.choose') }]}
      extra={error?.message}
    >
      <Select
        loading={!data && !error}
        onChange={onChange}
        options={(data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        showSearch={{ optionFilterProp: 'label' }}
      />
    </Form.Item>
  );
}
