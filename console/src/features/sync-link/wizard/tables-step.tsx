import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PickedTable, pickedTables, tableKey, tablesWithoutKey } from './draft';
import { useDraft } from './draft-store';
import { type ChosenKey, KeyDialog } from './key-dialog';
import { SchemaMenu } from './schema-menu';
import { StepFrame } from './step-frame';
import { TablePicker } from './table-picker';
import { useWizard } from './wizard-context';

/** Which tables go along. A table without a key of its own needs key columns before the next step opens. */
export function TablesStep() {
  const { t } = useTranslation('sync-link');
  const { next } = useWizard();
  const { draft, change } = useDraft();
  const [keyed, setKeyed] = useState<PickedTable>();
  const picked = pickedTables(draft).length;
  const withoutKey = tablesWithoutKey(draft);

  const chooseKey = (table: PickedTable, chosen: ChosenKey) =>
    change({ tables: { ...draft.tables, [tableKey(table)]: { ...table, ...chosen } } });

  return (
    <StepFrame
      title={t('tables.title')}
      hint={t('tables.hint')}
      onNext={next}
      blocked={
        picked === 0
          ? t('tables.noneChosen')
          : withoutKey.length > 0
            ? t('tables.keyWanted', { count: withoutKey.length })
            : undefined
      }
      fill
    >
      <SchemaMenu />
      <div className="wizard-tables">
        {withoutKey[0] && (
          <Alert
            type="warning"
            showIcon
            title={t('tables.keyWantedFor', {
              names: withoutKey
                .slice(0, 5)
                .map(({ schema, table }) => `${schema}.${table}`)
                .join(', '),
              count: withoutKey.length,
            })}
          />
        )}
        <TablePicker onChooseKey={setKeyed} />
      </div>
      {keyed && (
        <KeyDialog
          table={keyed}
          onChoose={(chosen) => chooseKey(keyed, chosen)}
          onClose={() => setKeyed(undefined)}
        />
      )}
    </StepFrame>
  );
}
