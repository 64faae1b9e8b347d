import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';

/** Says that tables are to be selected first. */
export function useAskToSelect(): () => void {
  const { t } = useTranslation('sync');
  return () => notify('warning', t('table.selectFirst'));
}

interface ButtonProps<Row> {
  /** The selected tables. */
  chosen: readonly Row[];
  /** Those of them with which it can be done. */
  possible: readonly Row[];
  isGranted?: boolean;
  onAct: (rows: readonly Row[]) => void;
  children: ReactNode;
}

/** Does the same with selected tables. Where none of them allows it, it is off and says so. */
export function BulkButton<Row>({ chosen, possible, isGranted = true, onAct, children }: ButtonProps<Row>) {
  const { t } = useTranslation('sync');
  const askToSelect = useAskToSelect();
  const isImpossible = chosen.length > 0 && possible.length === 0;
  return (
    <Button
      disabled={!isGranted || isImpossible}
      title={isImpossible ? t('table.noneAllows') : undefined}
      onClick={() => (chosen.length === 0 ? askToSelect() : onAct(possible))}
    >
      {children}
    </Button>
  );
}

interface MenuButtonProps {
  chosen: readonly unknown[];
  items: NonNullable<MenuProps['items']>;
}

/** What else can be done with selected tables. */
export function BulkMenu({ chosen, items }: MenuButtonProps) {
  const { t } = useTranslation('sync');
  const askToSelect = useAskToSelect();
  const isNone = chosen.length === 0;
  const button = (
    <Button icon={<DownOutlined />} iconPlacement="end" onClick={isNone ? askToSelect : undefined}>
      {t('table.more')}
    </Button>
  );
  if (isNone) return button;
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      {button}
    </Dropdown>
  );
}
