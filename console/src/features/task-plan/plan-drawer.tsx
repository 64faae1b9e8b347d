import { Form, Input, InputNumber, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type PlanRecord, taskPlanAddPlan, taskPlanEditPlan } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { JobFields } from './job-fields';
import { initialOf, type PlanForm, planOf } from './plan-form';
import { useRefresh } from './queries';
import { ScheduleFields } from './schedule-fields';

interface Props {
  /** Left out: a new plan. */
  edit?: PlanRecord | undefined;
  onClose: () => void;
}

const MAX_RETRIES = 10;
const DAY_MINUTES = 1440;

export default function PlanDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('task-plan');
  const refresh = useRefresh();
  const save = async (values: PlanForm) => {
    const body = planOf(values);
    if (edit) await call(taskPlanEditPlan({ body: { ...body, id: edit.id }, ...audited(edit, body) }));
    else await call(taskPlanAddPlan({ body }));
    notify('success', t('saved', { name: values.name }));
    await refresh();
  };
  return (
    <FormDrawer<PlanForm>
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
        <Input {...upTo(100)} />
      </Form.Item>
      <JobFields />
      <ScheduleFields own={edit?.id} />
      <RuleFields />
      <Form.Item name="alerts" label={t('alerts')} extra={t('alertsHint')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

/** What becomes of what is late, overlaps, fails or takes long. */
function RuleFields() {
  const { t } = useTranslation('task-plan');
  return (
    <>
      <Form.Item name="misfire" label={t('misfire')} extra={t('misfireHint')}>
        <Select
          options={(['once', 'skip'] as const).map((value) => ({ value, label: t(`misfires.${value}`) }))}
        />
      </Form.Item>
      <Form.Item name="overlap" label={t('overlap')}>
        <Select
          options={(['skip', 'queue'] as const).map((value) => ({ value, label: t(`overlaps.${value}`) }))}
        />
      </Form.Item>
      <Minutes name="lateMinutes" hint={t('lateHint')} least={1} most={DAY_MINUTES} />
      <Minutes name="overdueMinutes" hint={t('overdueHint')} least={1} most={30 * DAY_MINUTES} optional />
      <Minutes name="timeoutMinutes" hint={t('timeoutHint')} least={1} most={7 * DAY_MINUTES} />
      <Form.Item name="retries" label={t('retries')} rules={[{ required: true, message: t('numberFault') }]}>
        <InputNumber min={0} max={MAX_RETRIES} precision={0} />
      </Form.Item>
      <Minutes name="retryMinutes" least={1} most={DAY_MINUTES} />
    </>
  );
}

interface MinutesProps {
  name: 'lateMinutes' | 'overdueMinutes' | 'timeoutMinutes' | 'retryMinutes';
  hint?: string;
  least: number;
  most: number;
  optional?: boolean;
}

function Minutes({ name, hint, least, most, optional = false }: MinutesProps) {
  const { t } = useTranslation('task-plan');
  return (
    <Form.Item
      name={name}
      label={t(name)}
      extra={hint}
      rules={[{ required: !optional, message: t('numberFault') }]}
    >
      <InputNumber min={least} max={most} />
    </Form.Item>
  );
}
