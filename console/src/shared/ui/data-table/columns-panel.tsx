import { ArrowDownOutlined, ArrowUpOutlined, PushpinOutlined } from '@ant-design/icons';
import { Button, Checkbox, InputNumber, Select } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerLayout } from './layout-store';
import { allowedWidth, NARROWEST, WIDEST } from './resize-handle';
import type { Column, Side } from './types';
import { isVisible, moved } from './viewer-layout';

export interface ColumnsPanelProps {
  /** All of them, in the viewer's order. */
  columns: readonly Column<never>[];
  /** Keys of those that the window has no room for now. */
  leftOut: readonly string[];
  layout: ViewerLayout;
  onChange: (layout: ViewerLayout) => void;
}

/** One line for each column, and the way back to the page's own. */
export default function ColumnsPanel(props: ColumnsPanelProps) {
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>('input:enabled')?.focus(), []);
  return (
    <div className="columns-menu" ref={panel}>
      <ul>
        {props.columns.map((column, index) => (
          <ColumnLine key={column.key} {...props} column={column} index={index} />
        ))}
      </ul>
      <Button onClick={() => props.onChange({})}>{t('table.resetColumns')}</Button>
    </div>
  );
}

interface LineProps extends ColumnsPanelProps {
  column: Column<never>;
  index: number;
}

function ColumnLine({ column, columns, index, leftOut, layout, onChange }: LineProps) {
  const { t } = useTranslation();
  const { key, title } = column;
  const keys = columns.map((other) => other.key);
  // A column asked for by name stays, however narrow the window: `leftOut` has that one render later.
  const isLeftOut = leftOut.includes(key) && layout.visible?.[key] !== true;
  const put = (place: number) => {
    const others = keys.filter((other) => other !== key);
    onChange({ ...layout, order: moved(keys, key, others[place]) });
  };
  // Fixed columns stand at their edge whatever the order says, so a column moves among its equals only.
  const canMove = (by: number) =>
    columns[index + by]?.fixed === column.fixed && columns[index + by] !== undefined;
  return (
    <li>
      <Checkbox
        checked={isVisible(column, layout) && !isLeftOut}
        disabled={column.essential}
        onChange={({ target }) =>
          onChange({ ...layout, visible: { ...layout.visible, [key]: target.checked } })
        }
      >
        {title}
        {isLeftOut && <span className="columns-menu-note"> {t('table.noRoom')}</span>}
      </Checkbox>
      <InputNumber<number>
        aria-label={t('table.width', { column: title })}
        className="columns-menu-width"
        controls={false}
        min={NARROWEST}
        max={WIDEST}
        placeholder={t('table.anyWidth')}
        value={layout.widths?.[key] ?? column.width ?? null}
        onChange={(width) => onChange({ ...layout, widths: changedWidth(layout.widths, key, width) })}
      />
      <Select<Side | 'none'>
        aria-label={t('table.fix', { column: title })}
        className="columns-menu-fix"
        suffixIcon={<PushpinOutlined />}
        value={column.fixed ?? 'none'}
        onChange={(side) => onChange({ ...layout, fixed: { ...layout.fixed, [key]: side } })}
        options={[
          { value: 'none', label: t('table.fixNone') },
          { value: 'left', label: t('table.fixLeft') },
          { value: 'right', label: t('table.fixRight') },
        ]}
      />
      <Button
        type="text"
        icon={<ArrowUpOutlined />}
        aria-label={t('table.moveUp', { column: title })}
        disabled={!canMove(-1)}
        onClick={() => put(index - 1)}
      />
      <Button
        type="text"
        icon={<ArrowDownOutlined />}
        aria-label={t('table.moveDown', { column: title })}
        disabled={!canMove(1)}
        onClick={() => put(index + 1)}
      />
    </li>
  );
}

function changedWidth(
  widths: Record<string, number> | undefined,
  key: string,
  width: number | null,
): Record<string, number> {
  const { [key]: _, ...others } = widths ?? {};
  return width === null ? others : { ...others, [key]: allowedWidth(width) };
}
