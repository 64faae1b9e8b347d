import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { type BackfillInput, call, type PlanRecord, taskPlanStartBackfill } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { momentIn, timeIn } from '@/shared/lib/zones';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { MOMENT, MomentInput } from '@/shared/ui/moment-input';
import { useBackfillPreview, useRefresh } from './queries';

interface Range {
  firstAt?: string;
  lastAt?: string;
}

/** Takes a range in the plan's zone, shows which due times in it were not run, and has them run. */
export default function BackfillDrawer({ plan, onClose }: { plan: PlanRecord; onClose: () => void }) {
  const { t } = useTranslation('task-plan');
  const refresh = useRefresh();
  const save = async (range: Range) => {
    const body = inputOf(plan, range);
    if (!body) return false;
    await call(taskPlanStartBackfill({ body }));
    notify('success', t('backfill.started', { name: plan.name }));
    await refresh();
    return true;
  };
  const moment = (name: keyof Range) => (
    <Form.Item
      name={name}
      label={t(`backfill.${name}`)}
      rules={[{ required: true, pattern: MOMENT, message: t('onceAtFault') }]}
    >
      <MomentInput zone={plan.timeZone} />
    </Form.Item>
  );
  return (
    <FormDrawer<Range>
      title={t('backfill.title', { name: plan.name })}
      open
      saveLabel={t('backfill.start')}
      initialValues={{}}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('backfill.hint', { owner: plan.ownerName ?? t('ownerGone'), zone: plan.timeZone })}</p>
      {moment('firstAt')}
      {moment('lastAt')}
      <DueTimes plan={plan} />
    </FormDrawer>
  );
}

function inputOf({ id, timeZone }: PlanRecord, { firstAt, lastAt }: Range): BackfillInput | undefined {
  if (!firstAt || !lastAt || !MOMENT.test(firstAt) || !MOMENT.test(lastAt)) return undefined;
  const moment = (wall: string) => momentIn(timeZone, wall).toISOString();
  return { id, firstAt: moment(firstAt), lastAt: moment(lastAt) };
}

/** The due times that would be run: how many, and the first of them. */
function DueTimes({ plan }: { plan: PlanRecord }) {
  const { t } = useTranslation('task-plan');
  const firstAt: string | undefined = Form.useWatch('firstAt');
  const lastAt: string | undefined = Form.useWatch('lastAt');
  const body = inputOf(plan, { ...(firstAt ? { firstAt } : {}), ...(lastAt ? { lastAt } : {}) });
  const { data, error } = useBackfillPreview(body);
  if (!body) return null;
  if (error) return <p role="alert">{error.message}</p>;
  if (!data) return null;
  if (data.total === 0) return <p role="alert">{t('backfill.none')}</p>;
  const isCut = data.total > data.times.length;
  return (
    <>
      <p>{t('backfill.times', { count: data.total })}</p>
      <ol>
        {data.times.map((at) => (
          <li key={at} className="tabular">
            {timeIn(plan.timeZone, at)}
          </li>
        ))}
      </ol>
      {isCut && data.last && <p className="tabular">… {timeIn(plan.timeZone, data.last)}</p>}
    </>
  );
}
