import { useTranslation } from 'react-i18next';
import {
  audited,
  call,
  type PlanRecord,
  taskPlanCancelBackfill,
  taskPlanDeletePlan,
  taskPlanPausePlan,
  taskPlanResumePlan,
  taskPlanRunPlan,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';
import { useJobWords } from './use-job-words';

/** What can be done with a plan; each says what became of it. */
export function usePlanActions() {
  const { t } = useTranslation('task-plan');
  const refresh = useRefresh();
  const confirm = useConfirmDanger();
  const jobWords = useJobWords();
  const done = async (asked: Promise<unknown>, text: string) => {
    await asked.catch(reportFailure('status'));
    notify('success', text);
    await refresh();
  };
  return {
    run: ({ id, name, job, ownerName }: PlanRecord) =>
      confirm({
        title: t('runTitle', { name }),
        content: t('runHint', { job: jobWords(job), owner: ownerName ?? t('ownerGone') }),
        action: t('runNow'),
        run: () => done(call(taskPlanRunPlan({ body: { id } })), t('started', { name })),
      }),
    pause: ({ id, name }: PlanRecord) =>
      done(call(taskPlanPausePlan({ body: { id } })), t('paused', { name })).catch(() => undefined),
    resume: ({ id, name }: PlanRecord) =>
      done(call(taskPlanResumePlan({ body: { id } })), t('resumed', { name })).catch(() => undefined),
    cancelBackfill: ({ id, name }: PlanRecord) =>
      confirm({
        title: t('backfill.cancelTitle', { name }),
        content: t('backfill.cancelHint'),
        action: t('backfill.cancel'),
        run: () => done(call(taskPlanCancelBackfill({ body: { id } })), t('backfill.cancelled', { name })),
      }),
    remove: (plan: PlanRecord) =>
      confirmDelete({
        title: t('deleteTitle', { name: plan.name }),
        content: t('deleteHint'),
        dependants: { deleting: 'task/plan/delete', id: plan.id },
        isRecycled: true,
        action: t('delete'),
        mode: 'post',
        run: async (proof) => {
          await call(taskPlanDeletePlan({ body: { id: plan.id, ...proof }, ...audited(plan) })).catch(
            reportFailure('delete'),
          );
          notify('success', t('deleted', { name: plan.name }));
          await refresh();
        },
      }),
  };
}
