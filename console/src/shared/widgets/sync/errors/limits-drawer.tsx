import { Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { useRefresh } from '../queries';
import { setErrorLimits } from './queries';

/** The limits of the specification. */
const largest = { errorLimit: 100_000, dmlSkip: 1_000_000, ddlSkip: 100 } as const;
const fields = ['errorLimit', 'dmlSkip', 'ddlSkip'] as const;
type Limits = Record<(typeof fields)[number], number>;

interface Props {
  linkId: string;
  /** The first one's limits are what the form begins with. */
  tables: readonly TaskTableRecord[];
  onClose: () => void;
}

/** How many row errors tables may have open before they stop, and how many failing changes they skip. */
export default function LimitsDrawer({ linkId, tables, onClose }: Props) {
  const { t } = useTranslation(['row-error', 'common']);
  const isActive = usePageActive();
  const refresh = useRefresh();
  const [first] = tables;
  const save = async (limits: Limits) => {
    const sources = tables.map(({ source }) => source);
    const count = await setErrorLimits({ id: linkId, tables: sources, ...limits });
    await refresh();
    notify('success', t('limits.done', { count }));
  };
  return (
    <FormDrawer<Limits>
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
          rules={[{ required: true, message: t('common:form.required') }]}
        >
          <InputNumber min={0} max={largest[name]} precision={0} style={{ width: '100%' }} />
        </Form.Item>
      ))}
    </FormDrawer>
  );
}
