import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlanPageRequest, PlanRecord } from '@/shared/api';
import { taskPlanPagePlansList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { planStates } from './looks';
import { usePlanColumns } from './plan-columns';
import { allPlans, TASK, usePlans } from './queries';

const BackfillDrawer = lazy(() => import('./backfill-drawer'));
const PlanDrawer = lazy(() => import('./plan-drawer'));
const RunsDrawer = lazy(() => import('./runs-drawer'));

const defaults = { search: '', state: '' };
const keyOf = ({ id }: PlanRecord) => id;

/** The plans, with their next due time and what became of the last one. */
export function PlansTab() {
  const { t } = useTranslation('task-plan');
  const state = useTableState();
  const [filter, narrow] = useListFilter('task-plans', defaults);
  const [open, setOpen] = useState<{ edit?: PlanRecord }>();
  const [shown, setShown] = useState<PlanRecord>();
  const [filled, setFilled] = useState<PlanRecord>();
  const asked: PlanPageRequest = {
    ...state.request,
    search: filter.search,
    state: (filter.state || null) as PlanRecord['state'] | null,
  };
  const query = usePlans(asked);
  const add = useMay(TASK)('create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({})}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <DataTable
        label={t('title')}
        name="task-plans"
        columns={usePlanColumns({
          onEdit: (edit) => setOpen({ edit }),
          onHistory: setShown,
          onBackfill: setFilled,
        })}
        list={taskPlanPagePlansList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allPlans(asked)}
        empty={
          filter.search || filter.state
            ? { title: t('emptyFiltered') }
            : { title: t('empty'), hint: t('emptyHint'), action: add || undefined }
        }
        toolbar={
          <>
            {add}
            <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
            <ListChoice
              label={t('state')}
              value={filter.state}
              onChange={(wanted) => narrow({ state: wanted })}
              options={[
                { value: '', label: t('anyState') },
                ...planStates.map((value) => ({ value: value as string, label: t(`states.${value}`) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      <Suspense>
        {open && <PlanDrawer edit={open.edit} onClose={() => setOpen(undefined)} />}
        {shown && <RunsDrawer plan={shown} onClose={() => setShown(undefined)} />}
        {filled && <BackfillDrawer plan={filled} onClose={() => setFilled(undefined)} />}
      </Suspense>
    </>
  );
}
