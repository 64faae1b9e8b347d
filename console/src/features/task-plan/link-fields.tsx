import { Form, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { isOfTables, type JobForm, type PlanForm } from './plan-form';
import { useLinkChoice, useTableChoice } from './queries';

/** The link of a job, and what is done to which of its tables. */
export function LinkFields({ type }: { type: JobForm['type'] | undefined }) {
  const { t } = useTranslation('task-plan');
  const form = Form.useFormInstance<PlanForm>();
  const links = useLinkChoice();
  return (
    <>
      <Form.Item
        name={['job', 'link']}
        label={t('link')}
        rules={[{ required: true, message: t('linkFault') }]}
        extra={links.error?.message}
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={links.isPending}
          notFoundContent={t('noLinks')}
          onChange={() => form.setFieldValue(['job', 'tables'], [])}
          options={links.data?.records.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Form.Item>
      {type && isOfTables(type) && <Tables />}
      {type === 'reload' && (
        <Form.Item name={['job', 'beside']} label={t('beside')} initialValue="">
          <Select
            options={(['', 'beside', 'clean'] as const).map((value) => ({
              value,
              label: t(`besides.${value || 'usual'}`),
            }))}
          />
        </Form.Item>
      )}
      {type === 'compare' && <Comparison />}
    </>
  );
}

function Tables() {
  const { t } = useTranslation('task-plan');
  const link: string | undefined = Form.useWatch(['job', 'link']);
  const tables = useTableChoice(link);
  return (
    <Form.Item name={['job', 'tables']} label={t('tables')} extra={tables.error?.message ?? t('tablesHint')}>
      <Select
        mode="multiple"
        placeholder={t('allTables')}
        disabled={link === undefined}
        loading={tables.isFetching}
        maxTagCount={20}
        options={tables.data?.tables.map(({ source }) => ({ value: source, label: source }))}
      />
    </Form.Item>
  );
}

function Comparison() {
  const { t } = useTranslation('task-plan');
  const method: string | undefined = Form.useWatch(['job', 'method']);
  return (
    <>
      <Form.Item name={['job', 'method']} label={t('method')} initialValue="content">
        <Select
          options={(['content', 'strict', 'count'] as const).map((value) => ({
            value,
            label: t(`methods.${value}`),
          }))}
        />
      </Form.Item>
      {method !== 'count' && (
        <Form.Item
          name={['job', 'repair']}
          label={t('repair')}
          extra={t('repairHint')}
          valuePropName="checked"
          initialValue={false}
        >
          <Switch />
        </Form.Item>
      )}
    </>
  );
}
