import { Checkbox, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { AppendOnlyWarning } from '@/shared/ui/append-only';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { useDescription } from '@/shared/widgets/data-source/queries';
import type { PickedTable } from './draft';
import { useDraft } from './draft-store';

interface Props {
  table: PickedTable;
  onChoose: (chosen: ChosenKey) => void;
  onClose: () => void;
}

export type ChosenKey = Required<Pick<PickedTable, 'key' | 'appendOnly'>>;

/** Chooses the key columns of a table that declares no key, or that it has none. */
export function KeyDialog({ table, onChoose, onClose }: Props) {
  const { t } = useTranslation(['sync-link', 'common']);
  const isActive = usePageActive();
  const { draft } = useDraft();
  const description = useDescription(draft.source, table, draft.target.kind);
  const [key, setKey] = useState<string[]>([...table.key]);
  const [appendOnly, setAppendOnly] = useState(table.appendOnly ?? false);
  return (
    <Modal
      title={t('tables.keyTitle', { name: `${table.schema}.${table.table}` })}
      open={isActive}
      onCancel={onClose}
      okButtonProps={{ disabled: key.length === 0 && !appendOnly }}
      okText={appendOnly ? t('common:appendOnly.confirm') : undefined}
      onOk={() => {
        onChoose({ key: appendOnly ? [] : key, appendOnly });
        onClose();
      }}
    >
      <p>{t('tables.keyHint')}</p>
      {description.error && <ErrorState error={description.error} onRetry={description.refetch} />}
      {!description.data && !description.error && <LoadingState rows={4} />}
      {description.data && (
        <Checkbox.Group
          className="wizard-key-columns"
          value={appendOnly ? [] : key}
          disabled={appendOnly}
          onChange={setKey}
          options={description.data.columns.map((column) => ({
            value: column.name,
            label: `${column.name} · ${column.nativeType}${column.nullable ? ` · ${t('tables.nullable')}` : ''}`,
          }))}
        />
      )}
      <p>
        <Checkbox checked={appendOnly} onChange={({ target }) => setAppendOnly(target.checked)}>
          {t('common:appendOnly.offer')}
        </Checkbox>
      </p>
      {appendOnly && <AppendOnlyWarning />}
    </Modal>
  );
}
