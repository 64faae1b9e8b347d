import { Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';

/** How many backups of the metadata stay. */
export function BackupFields() {
  const { t } = useTranslation('task-plan');
  return (
    <Form.Item
      name={['job', 'backup', 'keep']}
      label={t('keep')}
      extra={t('keepHint')}
      initialValue={7}
      rules={[{ required: true, message: t('numberFault') }]}
    >
      <InputNumber min={1} max={100} precision={0} />
    </Form.Item>
  );
}
