import { Alert, Button, Checkbox, Drawer, Input, Space, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { type ColumnLine, useDescription } from '@/shared/widgets/data-source/queries';
import { type ColumnEdit, chosenColumns, editsOf, faultOf } from './column-edits';
import type { ColumnChoice, PickedTable } from './draft';
import { useDraft } from './draft-store';

interface Props {
  table: PickedTable;
  /** Undefined: all columns under their own names. */
  onSave: (columns: readonly ColumnChoice[] | undefined) => void;
  onClose: () => void;
}

/** The columns of one table: which go along, under which name, and what their types become. */
export function ColumnsDrawer({ table, onSave, onClose }: Props) {
  const { t } = useTranslation('sync-link');
  const isActive = usePageActive();
  const { draft } = useDraft();
  const description = useDescription(draft.source, table, draft.target.kind);
  const columns = description.data?.columns;
  const [edits, setEdits] = useState<ColumnEdit[]>();
  const shown = edits ?? (columns && editsOf(columns, table.columns));
  const key =
    table.key.length > 0 ? table.key : (columns ?? []).filter((column) => column.key).map(({ name }) => name);
  const fault = shown && faultOf(shown, key);

  const save = () => {
    if (shown) onSave(chosenColumns(shown));
    onClose();
  };

  return (
    <Drawer
      title={t('columns.title', { name: `${table.schema}.${table.table}` })}
      open={isActive}
      onClose={onClose}
      size={760}
      footer={
        <Space className="drawer-footer">
          <Button onClick={onClose}>{t('columns.cancel')}</Button>
          <Button type="primary" disabled={!shown || fault !== undefined} onClick={save}>
            {t('columns.save')}
          </Button>
        </Space>
      }
    >
      {fault && (
        <Alert
          type="error"
          showIcon
          title={t(`columns.${fault.code}`, { name: fault.column })}
          role="alert"
        />
      )}
      {description.error && <ErrorState error={description.error} onRetry={description.refetch} />}
      {!columns && !description.error && <LoadingState rows={8} />}
      {columns && shown && <ColumnRows columns={columns} edits={shown} keyNames={key} onChange={setEdits} />}
    </Drawer>
  );
}

interface RowsProps {
  columns: readonly ColumnLine[];
  edits: readonly ColumnEdit[];
  keyNames: readonly string[];
  onChange: (edits: ColumnEdit[]) => void;
}

function ColumnRows({ columns, edits, keyNames, onChange }: RowsProps) {
  const { t } = useTranslation('sync-link');
  const set = (index: number, part: Partial<ColumnEdit>) =>
    onChange(edits.map((edit, at) => (at === index ? { ...edit, ...part } : edit)));
  return (
    <table className="wizard-columns">
      <thead>
        <tr>
          <th scope="col">{t('columns.taken')}</th>
          <th scope="col">{t('columns.source')}</th>
          <th scope="col">{t('columns.target')}</th>
          <th scope="col">{t('columns.becomes')}</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column, index) => {
          const edit = edits[index];
          if (!edit) return null;
          return (
            <tr key={column.name}>
              <td>
                <Checkbox
                  checked={edit.taken}
                  aria-label={t('columns.take', { name: column.name })}
                  onChange={({ target }) => set(index, { taken: target.checked })}
                />
              </td>
              <td>
                {column.name} {keyNames.includes(column.name) && <Tag color="blue">{t('columns.key')}</Tag>}
                <div className="wizard-type">{column.nativeType}</div>
              </td>
              <td>
                <Input
                  value={edit.target}
                  placeholder={column.name}
                  disabled={!edit.taken}
                  aria-label={t('columns.targetOf', { name: column.name })}
                  spellCheck={false}
                  onChange={({ target }) => set(index, { target: target.value })}
                />
              </td>
              <td>
                <span className="wizard-type">{column.targetType}</span>
                {column.note && (
                  <div className={column.blocking ? 'wizard-note-blocking' : 'wizard-note'}>
                    {column.note.text}
                  </div>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
