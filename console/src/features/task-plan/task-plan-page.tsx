import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { HistoryTab } from './history-tab';
import { PlansTab } from './plans-tab';

const defaults = { show: 'plans' };

/** What is done to links and tables at set times, and what became of it. */
export default function TaskPlanPage() {
  const { t } = useTranslation('task-plan');
  const [{ show }, change] = useUrlState(defaults);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <Tabs
        className="page-tabs"
        activeKey={show}
        onChange={(key) => change({ show: key })}
        destroyOnHidden
        items={[
          { key: 'plans', label: t('title'), children: <PlansTab /> },
          { key: 'history', label: t('history'), children: <HistoryTab /> },
        ]}
      />
    </>
  );
}
