import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PlanRecord } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { RunList } from './run-list';

/** The runs of one plan. */
export default function RunsDrawer({ plan, onClose }: { plan: PlanRecord; onClose: () => void }) {
  const { t } = useTranslation('task-plan');
  const isActive = usePageActive();
  const title = t('historyOf', { name: plan.name });
  return (
    <Drawer title={title} open={isActive} onClose={onClose} size="80%" className="table-drawer">
      <RunList label={title} plan={plan.id} prefix="run-" />
    </Drawer>
  );
}
