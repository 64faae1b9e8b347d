import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { ApisTab } from './apis-tab';
import { GroupsTab } from './groups-tab';
import { ServicesTab } from './services-tab';

const defaults = { show: 'groups' };

/** API groups, their APIs, and the data services that answer callers. */
export default function GroupsPage() {
  const { t } = useTranslation('data-service');
  const [{ show }, change] = useUrlState(defaults);
  return (
    <>
      <h1 className="visually-hidden">{t('group.title')}</h1>
      <Tabs
        className="page-tabs"
        activeKey={show}
        onChange={(key) => change({ show: key })}
        destroyOnHidden
        items={[
          { key: 'groups', label: t('group.title'), children: <GroupsTab /> },
          { key: 'apis', label: t('api.title'), children: <ApisTab /> },
          { key: 'services', label: t('service.title'), children: <ServicesTab /> },
        ]}
      />
    </>
  );
}
