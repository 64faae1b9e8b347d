import { Checkbox, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { useDescription } from '@/shared/widgets/data-source/queries';
import type { PickedTable } from './draft';
import { useDraft } from './draft-store';

interface Props {
  table: PickedTable;
  onChoose: (key: readonly string[]) => void;
  onClose: () => void;
}

/** Chooses the columns that tell the rows of a table apart, where the table itself declares no key. */
export function KeyDialog({ table, onChoose, onClose }: Props) {
  const { t } = useTranslation('sync-link');
  const isActive = usePageActive();
  const { draft } = useDraft();
  const description = useDescription(draft.source, table, draft.target.kind);
  const [key, setKey] = useState<string[]>([...table.key]);
  return (
    <Modal
      title={t('tables.keyTitle', { name: `${table.schema}.${table.table}` })}
      open={isActive}
      onCancel={onClose}
      okButtonProps={{ disabled: key.length === 0 }}
      onOk={() => {
        onChoose(key);
        onClose();
      }}
    >
      <p>{t('tables.keyHint')}</p>
      {description.error && <ErrorState error={description.error} onRetry={description.refetch} />}
      {!description.data && !description.error && <LoadingState rows={4} />}
      {description.data && (
        <Checkbox.Group
          className="wizard-key-columns"
          value={key}
          onChange={setKey}
          options={description.data.columns.map((column) => ({
            value: column.name,
            label: `${column.name} · ${column.nativeType}${column.nullable ? ` · ${t('tables.nullable')}` : ''}`,
          }))}
        />
      )}
    </Modal>
  );
}
