import { Form, Select } from 'antd';
import { useWords } from './audience';

const loadTypes = ['C', 'J'] as const;

/** By which path rows are written; `extra` says whose rows. */
export function LoadTypeField({ extra }: { extra: string }) {
  const { t } = useWords();
  return (
    <Form.Item name="loadType" label={t('master.loadType')} extra={extra}>
      <Select options={loadTypes.map((value) => ({ value, label: t(`loadType.${value}`) }))} />
    </Form.Item>
  );
}
