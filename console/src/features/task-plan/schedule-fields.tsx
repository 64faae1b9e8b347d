import { Form, Radio, Select } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScheduleInput } from '@/shared/api';
import { momentIn, timeIn, zoneNames } from '@/shared/lib/zones';
import { MOMENT, MomentInput } from '@/shared/ui/moment-input';
import { CronHelper } from '@/shared/widgets/cron';
import { isCron } from '@/shared/widgets/cron/schedule';
import type { PlanForm } from './plan-form';
import { usePlanChoice, usePreview } from './queries';

/**
 * When a plan is due: periodically or once, in which zone, with the next times as the server will make them; or behind
 * another plan. `own`: the plan's id, which it cannot follow.
 */
export function ScheduleFields({ own }: { own: string | undefined }) {
  const { t } = useTranslation('task-plan');
  const trigger: PlanForm['trigger'] | undefined = Form.useWatch('trigger');
  const timeZone: string | undefined = Form.useWatch('timeZone');
  const zones = useMemo(() => zoneNames().map((value) => ({ value, label: value })), []);
  return (
    <>
      <Form.Item name="trigger" label={t('schedule')}>
        <Radio.Group
          options={(['cron', 'once', 'after'] as const).map((value) => ({
            value,
            label: t(`triggers.${value}`),
          }))}
        />
      </Form.Item>
      <Form.Item
        name="timeZone"
        label={t('timeZone')}
        rules={[{ required: true, message: t('timeZoneFault') }]}
      >
        <Select showSearch={{ optionFilterProp: 'label' }} options={zones} />
      </Form.Item>
      {trigger === 'once' && (
        <Form.Item
          name="onceAt"
          label={t('onceAt')}
          rules={[{ required: true, pattern: MOMENT, message: t('onceAtFault') }]}
          extra={<NextTimes />}
        >
          <MomentInput zone={timeZone} />
        </Form.Item>
      )}
      {trigger === 'cron' && (
        <Form.Item name="cron" label={t('cron')} rules={[{ required: true, message: t('cronFault') }]}>
          <CronField zone={timeZone} />
        </Form.Item>
      )}
      {trigger === 'after' && <Predecessor own={own} />}
    </>
  );
}

/** The plan that this one follows. */
function Predecessor({ own }: { own: string | undefined }) {
  const { t } = useTranslation('task-plan');
  const plans = usePlanChoice();
  const others = plans.data?.records.filter(({ id }) => id !== own) ?? [];
  return (
    <>
      <Form.Item
        name="after"
        label={t('after')}
        rules={[{ required: true, message: t('afterFault') }]}
        extra={plans.error?.message}
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          loading={plans.isPending}
          notFoundContent={t('noPlans')}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Form.Item>
      <Form.Item name="afterWhen" label={t('afterWhen')} initialValue="success">
        <Select
          options={(['success', 'end'] as const).map((value) => ({ value, label: t(`afterWhens.${value}`) }))}
        />
      </Form.Item>
    </>
  );
}

interface CronFieldProps {
  zone: string | undefined;
  /** The form's. */
  value?: string;
  onChange?: (value: string) => void;
}

function CronField({ zone, value = '', onChange }: CronFieldProps) {
  return (
    <CronHelper
      value={value}
      onChange={(expression) => onChange?.(expression)}
      {...(zone ? { zone } : {})}
      next={<NextTimes />}
    />
  );
}

function useSchedule(): ScheduleInput | undefined {
  const trigger: PlanForm['trigger'] | undefined = Form.useWatch('trigger');
  const timeZone: string | undefined = Form.useWatch('timeZone');
  const cron: string | undefined = Form.useWatch('cron');
  const onceAt: string | undefined = Form.useWatch('onceAt');
  if (!timeZone) return undefined;
  if (trigger === 'once')
    return onceAt && MOMENT.test(onceAt)
      ? { trigger, timeZone, onceAt: momentIn(timeZone, onceAt).toISOString() }
      : undefined;
  return trigger === 'cron' && cron && isCron(cron) ? { trigger, timeZone, cron } : undefined;
}

/** The next five times in the chosen zone. */
function NextTimes() {
  const { t } = useTranslation('task-plan');
  const schedule = useSchedule();
  const { data, error } = usePreview(schedule);
  if (!schedule) return null;
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return null;
  if (data.times.length === 0) return <p role="alert">{t('isOver')}</p>;
  return (
    <>
      <p>{t('nextTimes', { zone: schedule.timeZone })}</p>
      <ol>
        {data.times.map((at) => (
          <li key={at} className="tabular">
            {timeIn(schedule.timeZone, at)}
          </li>
        ))}
      </ol>
    </>
  );
}
