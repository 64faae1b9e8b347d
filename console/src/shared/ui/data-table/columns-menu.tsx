import { SettingOutlined } from '@ant-design/icons';
import { Button, Checkbox, Popover, Tooltip } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { Column } from './types';

type HiddenByTable = Record<string, string[]>;

/** Which columns the viewer has hidden, remembered per table. */
export function useHiddenColumns(table: string): readonly [ReadonlySet<string>, (hidden: string[]) => void] {
  const [all, setAll] = useState<HiddenByTable>(
    () => local.get<HiddenByTable>(storeKeys.hiddenColumns) ?? {},
  );
  const hide = (keys: string[]) => {
    const next = { ...local.get<HiddenByTable>(storeKeys.hiddenColumns), [table]: keys };
    local.set(storeKeys.hiddenColumns, next);
    setAll(next);
  };
  const hidden = useMemo(() => new Set(all[table] ?? []), [all, table]);
  return [hidden, hide] as const;
}

interface ColumnsMenuProps<Row> {
  columns: readonly Column<Row>[];
  hidden: ReadonlySet<string>;
  onHide: (hidden: string[]) => void;
}

export function ColumnsMenu<Row>({ columns, hidden, onHide }: ColumnsMenuProps<Row>) {
  const { t } = useTranslation();
  const choices = (
    <Checkbox.Group
      className="columns-menu"
      value={columns.filter((column) => !hidden.has(column.key)).map((column) => column.key)}
      onChange={(shown) => onHide(columns.map((column) => column.key).filter((key) => !shown.includes(key)))}
      options={columns.map((column) => ({
        value: column.key,
        label: column.title,
        disabled: column.essential,
      }))}
    />
  );
  return (
    <Popover content={choices} trigger="click" placement="bottomRight" destroyOnHidden>
      <Tooltip title={t('table.columns')}>
        <Button type="text" icon={<SettingOutlined />} aria-label={t('table.columns')} />
      </Tooltip>
    </Popover>
  );
}
