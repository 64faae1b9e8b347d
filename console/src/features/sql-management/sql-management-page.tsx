import { Tabs } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { type Draft, EMPTY } from './draft';

const EditorTab = lazy(() => import('./editor-tab'));
const SavedTab = lazy(() => import('./saved-tab'));

const defaults = { show: 'editor' };

/** SQL that is written, run against stored databases, and kept. */
export default function SqlManagementPage() {
  const { t } = useTranslation('sql-management');
  const [{ show }, change] = useUrlState(defaults);
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const open = (next: Draft) => {
    setDraft(next);
    change({ show: 'editor' });
  };
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <Suspense fallback={<LoadingState rows={6} />}>
        <Tabs
          className="page-tabs"
          activeKey={show}
          onChange={(key) => change({ show: key })}
          items={[
            {
              key: 'editor',
              label: t('editor'),
              children: <EditorTab draft={draft} onChange={setDraft} isShown={show === 'editor'} />,
            },
            {
              key: 'saved',
              label: t('saved'),
              destroyOnHidden: true,
              children: <SavedTab onOpen={open} />,
            },
          ]}
        />
      </Suspense>
    </>
  );
}
