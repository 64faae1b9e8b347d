import { Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { fullCount } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import type { TableResult } from '../refused-tables';

/** The limits of the specification. */
const largest = { errorLimit: 100_000, dmlSkip: 1_000_000, ddlSkip: 100 } as const;
const fields = ['errorLimit', 'dmlSkip', 'ddlSkip'] as const;
export type Limits = Record<(typeof fields)[number], number>;

interface Props {
  /** Sets the limits of the tables; answers what became of each. */
  set: (tables: readonly TaskTableRecord[], limits: Limits) => Promise<readonly TableResult[]>;
  /** Called where some were refused. */
  onResults: (results: readonly TableResult[]) => void;
  /** The first one's limits are what the form begins with. */
  tables: readonly TaskTableRecord[];
  onClose: () => void;
}

/** How many row errors tables may have open before they stop, and how many failing changes they skip. */
export default function LimitsDrawer({ set, tables, onResults, onClose }: Props) {
  const { t } = useTranslation('row-error');
  const isActive = usePageActive();
  const [first] = tables;
  const save = async (limits: Limits) => {
    const results = await set(tables, limits);
    if (results.every(({ done }) => done)) notify('success', t('limits.done', { count: results.length }));
    else onResults(results);
  };
  return (
    <FormDrawer<Limits>
      asked="modify"
      title={t('limits.title', { count: tables.length })}
      open={isActive}
      initialValues={
        first && { errorLimit: first.errorLimit, dmlSkip: first.dmlSkip, ddlSkip: first.ddlSkip }
      }
      onSubmit={save}
      onClose={onClose}
    >
      {fields.map((name) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`limits.${name}`)}
          extra={t(`limits.${name}Hint`)}
          rules={[
            {
              required: true,
              type: 'integer',
              min: 0,
              max: largest[name],
              message: t('limits.fault', { maximum: fullCount(largest[name]) }),
            },
          ]}
        >
          <InputNumber controls={false} style={{ width: '100%' }} />
        </Form.Item>
      ))}
    </FormDrawer>
  );
}
