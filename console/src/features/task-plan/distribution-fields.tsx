import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PlanForm } from './plan-form';
import { useMasterChoice, usePolicyChoice, useVersionChoice } from './queries';

const policyField: ['job', 'distribution', 'policy'] = ['job', 'distribution', 'policy'];
const search = { optionFilterProp: 'label' };

/** Which policy goes to whom; version and customers may be left to the moment when the plan runs. */
export function DistributionFields() {
  const { t } = useTranslation('task-plan');
  const form = Form.useFormInstance<PlanForm>();
  const policies = usePolicyChoice();
  const chosen: string | undefined = Form.useWatch(policyField, form);
  const policy = policies.data?.records.find(({ id }) => id === chosen);
  const versions = useVersionChoice(chosen);
  const masters = useMasterChoice(policy?.nodeMaster);
  // Another policy has other versions, and customers of another node.
  const forget = () =>
    form.setFieldsValue({ job: { distribution: { version: undefined, masters: [] } } } as object);
  return (
    <>
      <Form.Item
        name={policyField}
        label={t('policy')}
        rules={[{ required: true, message: t('policyFault') }]}
        extra={policies.error?.message}
      >
        <Select
          showSearch={search}
          loading={policies.isPending}
          notFoundContent={t('noPolicies')}
          onChange={forget}
          options={policies.data?.records.map(({ id, productName }) => ({ value: id, label: productName }))}
        />
      </Form.Item>
      <Form.Item
        name={['job', 'distribution', 'version']}
        label={t('version')}
        extra={versions.error?.message}
      >
        <Select
          allowClear
          placeholder={t('newestVersion')}
          options={versions.data?.records
            .filter(({ retiredAt }) => retiredAt === null)
            .map(({ number, note }) => ({
              value: number,
              label: note ? `${number} · ${note}` : `${number}`,
            }))}
        />
      </Form.Item>
      <Form.Item
        name={['job', 'distribution', 'masters']}
        label={t('customers')}
        extra={masters.error?.message ?? t('customersHint')}
      >
        <Select
          mode="multiple"
          showSearch={search}
          placeholder={t('allCustomers')}
          options={masters.data?.records.map(({ id, name, customerName }) => ({
            value: id,
            label: `${customerName} · ${name}`,
          }))}
        />
      </Form.Item>
    </>
  );
}
