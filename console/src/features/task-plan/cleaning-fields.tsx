import { Form, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { histories } from './plan-form';

const MOST_DAYS = 3650;

/** What is removed from the platform's own store, and how old it must be. */
export function CleaningFields() {
  const { t } = useTranslation('task-plan');
  return (
    <>
      <Form.Item
        name={['job', 'clean', 'histories']}
        label={t('histories')}
        extra={t('historiesHint')}
        rules={[{ required: true, message: t('historiesFault') }]}
      >
        <Select
          mode="multiple"
          options={histories.map((value) => ({ value, label: t(`historyKinds.${value}`) }))}
        />
      </Form.Item>
      <Form.Item
        name={['job', 'clean', 'olderThanDays']}
        label={t('olderThanDays')}
        initialValue={30}
        rules={[{ required: true, message: t('numberFault') }]}
      >
        <InputNumber min={1} max={MOST_DAYS} precision={0} />
      </Form.Item>
    </>
  );
}
