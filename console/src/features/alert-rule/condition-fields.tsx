import { Form, InputNumber, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { MetricChoice } from '@/shared/api';
import { unitOf } from './figures';
import type { useMetrics } from './queries';
import { comparisons, kinds, type RuleForm } from './rule-form';

const DAY_SECONDS = 86_400;

/** Which figure is compared with what, and for how long that must hold. */
export function ConditionFields({ metrics }: { metrics: ReturnType<typeof useMetrics> }) {
  const { t } = useTranslation('alert-rule');
  const form = Form.useFormInstance<RuleForm>();
  const kind: RuleForm['kind'] | undefined = Form.useWatch('kind');
  const name: string | undefined = Form.useWatch('metric');
  const offered = metrics.data?.filter((metric) => metric.kind === kind) ?? [];
  const chosen = offered.find((metric) => metric.name === name);
  const need = { required: true, message: t('numberFault') };
  const changeKind = (changed: RuleForm['kind']) => {
    const same = metrics.data?.filter((metric) => metric.kind === changed) ?? [];
    if (!same.some((metric) => metric.name === name)) form.setFieldValue('metric', same[0]?.name);
  };
  return (
    <>
      <Form.Item name="kind" label={t('kind')}>
        <Select
          onChange={changeKind}
          options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      </Form.Item>
      <Form.Item
        name="metric"
        label={t('metric')}
        extra={metrics.error?.message}
        rules={[{ required: true, message: t('metricFault') }]}
      >
        <Select
          loading={metrics.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          options={offered.map((metric: MetricChoice) => ({ value: metric.name, label: metric.label }))}
        />
      </Form.Item>
      <div className="alert-rule-condition">
        <Form.Item name="comparison" label={t('comparison')}>
          <Select options={comparisons.map((value) => ({ value, label: t(`comparisons.${value}`) }))} />
        </Form.Item>
        <Form.Item name="threshold" label={t('threshold')} rules={[need]}>
          <InputNumber suffix={chosen ? unitOf(chosen) : undefined} controls={false} />
        </Form.Item>
        <Form.Item name="seconds" label={t('seconds')} rules={[need]}>
          <InputNumber min={0} max={DAY_SECONDS} precision={0} suffix={t('secondsUnit')} controls={false} />
        </Form.Item>
      </div>
      <Form.Item name="onMissing" label={t('onMissing')} extra={t('onMissingHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
    </>
  );
}
