import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover } from 'antd';
import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../tip';
import type { ColumnsPanelProps } from './columns-panel';

// Few users arrange columns: the panel loads when it is opened.
const ColumnsPanel = lazy(() => import('./columns-panel'));

/**
 * Which columns are shown, in which order, how wide, and which stay in sight; remembered per viewer and table. The
 * focus goes into the panel, and back to the button when Escape closes it.
 */
export function ColumnsMenu(props: ColumnsPanelProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const change = (open: boolean) => {
    setOpen(open);
    if (!open) button.current?.focus();
  };
  return (
    // A tooltip next to the open panel would cover it.
    <Tip title={isOpen ? undefined : t('table.columns')}>
      <span>
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
          open={isOpen}
          onOpenChange={change}
        >
          <Button
            ref={button}
            type="text"
            icon={<SettingOutlined />}
            aria-label={t('table.columns')}
            aria-expanded={isOpen}
          />
        </Popover>
      </span>
    </Tip>
  );
}
