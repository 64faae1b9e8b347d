import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DictionariesTab } from './dictionaries-tab';
import { ParametersTab } from './parameters-tab';
import './parameter.css';

const defaults = { show: 'parameters' };

/** What steers the platform: parameters, and what the keys of fields are called. */
export default function ParametersPage() {
  const { t } = useTranslation('parameter');
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
          { key: 'parameters', label: t('title'), children: <ParametersTab /> },
          { key: 'dictionaries', label: t('dictionary.title'), children: <DictionariesTab /> },
        ]}
      />
    </>
  );
}
