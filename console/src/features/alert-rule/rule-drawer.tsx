import { Form, Input, InputNumber, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { alertRuleAdd, alertRuleEdit, audited, call, type RuleRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { ConditionFields } from './condition-fields';
import { useMetrics, useRefresh } from './queries';
import { QuietFields } from './quiet-fields';
import { initialOf, levels, type RuleForm, ruleOf } from './rule-form';
import { RuleTrial } from './rule-trial';
import { ScopeFields } from './scope-fields';
import './alert-rule.css';

interface Props {
  /** Left out: a new rule. */
  edit?: RuleRecord | undefined;
  onClose: () => void;
}

const WEEK_MINUTES = 7 * 24 * 60;

export default function RuleDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('alert-rule');
  const metrics = useMetrics();
  const refresh = useRefresh();
  const save = async (values: RuleForm) => {
    const metric = metrics.data?.find(({ kind, name }) => kind === values.kind && name === values.metric);
    if (!metric) return false;
    const body = ruleOf(values, metric);
    if (edit) await call(alertRuleEdit({ body: { ...body, id: edit.id }, ...audited(edit) }));
    else await call(alertRuleAdd({ body }));
    notify('success', t('saved', { name: body.name }));
    await refresh();
    return true;
  };
  return (
    <FormDrawer<RuleForm>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('editTitle', { name: edit.name }) : t('add')}
      open
      initialValues={initialOf(edit)}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(100)} autoComplete="off" />
      </Form.Item>
      <ConditionFields metrics={metrics} />
      <ScopeFields />
      <RuleTrial metrics={metrics.data} />
      <Form.Item name="level" label={t('level')}>
        <Select options={levels.map((value) => ({ value, label: t(`levels.${value}`) }))} />
      </Form.Item>
      <Form.Item
        name="repeatMinutes"
        label={t('repeatMinutes')}
        extra={t('repeatHint')}
        rules={[{ required: true, message: t('numberFault') }]}
      >
        <InputNumber min={0} max={WEEK_MINUTES} precision={0} suffix={t('minutes')} />
      </Form.Item>
      <QuietFields />
      <Form.Item name="enabled" label={t('enabled')} extra={t('enabledHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
    </FormDrawer>
  );
}
