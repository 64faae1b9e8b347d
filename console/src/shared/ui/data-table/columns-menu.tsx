import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover, Tooltip } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnsPanelProps } from './columns-panel';

// Few who look at a list arrange it: what that needs comes when it is opened.
const ColumnsPanel = lazy(() => import('./columns-panel'));

/** Which columns are shown, in which order, how wide, and which stay in sight; remembered per viewer and table. */
export function ColumnsMenu(props: ColumnsPanelProps) {
  const { t } = useTranslation();
  return (
    <Popover
      content={
        <Suspense fallback={null}>
          <ColumnsPanel {...props} />
        </Suspense>
      }
      title={t('table.columns')}
      trigger="click"
      placement="bottomRight"
      destroyOnHidden
    >
      <Tooltip title={t('table.columns')}>
        <Button type="text" icon={<SettingOutlined />} aria-label={t('table.columns')} />
      </Tooltip>
    </Popover>
  );
}
