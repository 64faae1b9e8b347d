import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DeliveriesTab } from './deliveries-tab';
import { MutesTab } from './mutes-tab';
import { ReceiversTab } from './receivers-tab';

const defaults = { show: 'deliveries' };

/** Notices that leave the platform: what became of each, who receives them, and what is muted. */
export default function MessagePage() {
  const { t } = useTranslation('notification');
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
          { key: 'deliveries', label: t('deliveries'), children: <DeliveriesTab /> },
          { key: 'receivers', label: t('receivers'), children: <ReceiversTab /> },
          { key: 'mutes', label: t('mutes'), children: <MutesTab /> },
        ]}
      />
    </>
  );
}
