import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { paths } from '@/shared/pages/paths';
import { PageHead } from '@/shared/ui/page-head';
import { ChoicesTab } from './choices-tab';
import { DiagramsTab } from './diagrams-tab';
import { TerminalsTab } from './terminals-tab';
import { TextsTab } from './texts-tab';
import './demo.css';

const defaults = { show: 'diagrams' };

/** The components besides the table, each with what this installation has to show in it. */
export default function DemoPage() {
  const { t } = useTranslation('demo');
  const navigate = useNavigate();
  const [{ show }, change] = useUrlState(defaults);
  const search = (wanted: string) => navigate(paths.operationRecords(wanted));
  return (
    <div className="demo">
      <PageHead title={t('title')}>
        <p className="demo-hint">{t('hint')}</p>
      </PageHead>
      <Tabs
        activeKey={show}
        onChange={(key) => change({ show: key })}
        destroyOnHidden
        items={[
          { key: 'diagrams', label: t('tabs.diagrams'), children: <DiagramsTab /> },
          { key: 'texts', label: t('tabs.texts'), children: <TextsTab /> },
          { key: 'choices', label: t('tabs.choices'), children: <ChoicesTab onSearch={search} /> },
          { key: 'terminals', label: t('tabs.terminals'), children: <TerminalsTab /> },
        ]}
      />
    </div>
  );
}
