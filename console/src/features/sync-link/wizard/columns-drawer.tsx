import { Alert, Button, Drawer, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { useLeave } from '@/shared/ui/use-leave';
import { useDescription } from '@/shared/widgets/data-source/queries';
import { AddedColumns } from './added-columns';
import { type ColumnEdit, chosenColumns, editsOf, faultOf, masksOf } from './column-edits';
import { ColumnRows } from './column-rows';
import { Conditions } from './conditions';
import { findingsOf, noTransforms, type PickedTable, type Transforms } from './draft';
import { useDraft } from './draft-store';
import { Findings } from './findings';
import { useMarks } from './marks';

interface Props {
  table: PickedTable;
  onSave: (part: Pick<PickedTable, 'columns' | 'transforms'>) => void;
  onClose: () => void;
}

/** One table: which columns go along, under which name, hidden or not; which rows; which columns are added. */
export function ColumnsDrawer({ table, onSave, onClose }: Props) {
  const { t } = useTranslation('sync-link');
  const isActive = usePageActive();
  const { draft } = useDraft();
  const description = useDescription(draft.source, table, draft.target.kind);
  const columns = description.data?.columns;
  const [edits, setEdits] = useState<ColumnEdit[]>();
  const [transforms, setTransforms] = useState<Transforms>(table.transforms ?? noTransforms);
  const shown = edits ?? (columns && editsOf(columns, table.columns, transforms.masks));
  const key =
    table.key.length > 0 ? table.key : (columns ?? []).filter((column) => column.key).map(({ name }) => name);
  const marks = useMarks(transforms.added.length);
  const fault = shown && faultOf(shown, key, transforms.added);
  const reported =
    shown &&
    faultOf(
      shown,
      key,
      transforms.added.filter((_, place) => marks.isReported(place)),
    );
  const findings = findingsOf(draft, table);
  const change = (part: Partial<Transforms>) => setTransforms({ ...transforms, ...part });
  const leave = useLeave();
  const isChanged = edits !== undefined || transforms !== (table.transforms ?? noTransforms);
  useUnsaved(() => isChanged, { kept: true });
  const close = () => leave(isChanged, onClose);

  const save = () => {
    if (fault) return marks.reportAll();
    if (shown)
      onSave({ columns: chosenColumns(shown), transforms: { ...transforms, masks: masksOf(shown) } });
    onClose();
  };

  return (
    <Drawer
      title={t('columns.title', { name: `${table.schema}.${table.table}` })}
      open={isActive}
      onClose={close}
      size={900}
      footer={
        <Space className="drawer-footer">
          <Button onClick={close}>{t('columns.cancel')}</Button>
          <Button type="primary" disabled={!shown} onClick={save}>
            {t('columns.save')}
          </Button>
        </Space>
      }
    >
      {reported && (
        <Alert
          type="error"
          showIcon
          className="wizard-fault"
          title={t(`columns.${reported.code}`, { name: reported.column })}
          role="alert"
        />
      )}
      <Findings findings={findings.filter(({ column }) => column === '')} />
      {description.error && <ErrorState error={description.error} onRetry={description.refetch} />}
      {!columns && !description.error && <LoadingState rows={8} />}
      {columns && shown && (
        <div ref={marks.fields}>
          <ColumnRows
            columns={columns}
            edits={shown}
            keyNames={key}
            findings={findings}
            onChange={setEdits}
          />
          <AddedColumns
            added={transforms.added}
            findings={findings}
            marks={marks}
            onChange={(added) => change({ added })}
          />
          <Conditions transforms={transforms} findings={findings} onChange={change} />
        </div>
      )}
    </Drawer>
  );
}
