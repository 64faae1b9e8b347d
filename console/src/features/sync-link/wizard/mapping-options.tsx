import { Button, Input, Select, Space } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '@/shared/ui/tip';
import { hasSchemas } from './document';
import type { CleanMode, DdlMode, IndexMode, LinkDraft, LoadMode, PickedTable } from './draft';
import { useDraft } from './draft-store';
import { isNameTooLong, isPlain } from './names';
import { NamesDialog } from './names-dialog';

const loadModes: readonly LoadMode[] = ['full+incremental', 'full', 'incremental'];
const cleanModes: readonly CleanMode[] = ['none', 'truncate', 'drop', 'only-truncate'];
const indexModes: readonly IndexMode[] = ['all', 'keys'];
const ddlModes: readonly DdlMode[] = ['stop', 'follow', 'ignore'];

/** Every table of the draft changed in the same way. */
function eachTable(draft: LinkDraft, edit: (table: PickedTable) => Partial<PickedTable>) {
  const entries = Object.entries(draft.tables).map(
    ([key, table]) => [key, { ...table, ...edit(table) }] as const,
  );
  return { tables: Object.fromEntries(entries) };
}

/** What holds for the whole link, and names given to all tables at once. */
export function MappingOptions() {
  const { t } = useTranslation('sync-link');
  const { draft, change } = useDraft();
  return (
    <div className="wizard-options">
      <Choice label={t('mapping.load')}>
        {(id) => (
          <Select<LoadMode>
            id={id}
            value={draft.load}
            onChange={(load) => change({ load })}
            popupMatchSelectWidth={false}
            options={loadModes.map((value) => ({ value, label: t(`load.${value}`) }))}
          />
        )}
      </Choice>
      <Choice label={t('mapping.clean')} hint={t(`cleanHint.${draft.clean}`)}>
        {(id) => (
          <Select<CleanMode>
            id={id}
            value={draft.clean}
            onChange={(clean) => change({ clean })}
            popupMatchSelectWidth={false}
            disabled={draft.load === 'incremental'}
            options={cleanModes.map((value) => ({ value, label: t(`clean.${value}`) }))}
          />
        )}
      </Choice>
      <Choice label={t('mapping.ddl')} hint={t(`ddlHint.${draft.ddl}`)}>
        {(id) => (
          <Select<DdlMode>
            id={id}
            value={draft.ddl}
            onChange={(ddl) => change({ ddl })}
            popupMatchSelectWidth={false}
            options={ddlModes.map((value) => ({ value, label: t(`ddl.${value}`) }))}
          />
        )}
      </Choice>
      <Choice label={t('mapping.indexes')} hint={t(`indexesHint.${draft.indexes}`)}>
        {(id) => (
          <Select<IndexMode>
            id={id}
            value={draft.indexes}
            onChange={(indexes) => change({ indexes })}
            popupMatchSelectWidth={false}
            options={indexModes.map((value) => ({ value, label: t(`indexes.${value}`) }))}
          />
        )}
      </Choice>
      <Choice label={t('mapping.newTables')} hint={t('mapping.newTablesHint')}>
        {(id) => (
          <Input
            id={id}
            value={draft.newTables}
            placeholder={t('mapping.noNewTables')}
            spellCheck={false}
            onChange={({ target }) => change({ newTables: target.value })}
          />
        )}
      </Choice>
      <AllNames />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  hint?: ReactNode;
  children: (id: string) => ReactNode;
}

function Choice({ label, hint, children }: ChoiceProps) {
  const id = useId();
  return (
    <Space size={4}>
      <label htmlFor={id} className="wizard-label">
        {label}
      </label>
      <Tip title={hint}>
        <span>{children(id)}</span>
      </Tip>
    </Space>
  );
}

function AllNames() {
  const { t } = useTranslation('sync-link');
  const { draft, change } = useDraft();
  const [schema, setSchema] = useState('');
  const [isRuling, setRuling] = useState(false);
  const id = useId();
  return (
    <>
      {hasSchemas(draft.target) && (
        <Space size={4}>
          <label htmlFor={id} className="wizard-label">
            {t('mapping.schemaForAll')}
          </label>
          <Input
            id={id}
            value={schema}
            placeholder={t('mapping.defaultSchema')}
            status={isNameTooLong(schema) ? 'error' : undefined}
            spellCheck={false}
            onChange={({ target }) => setSchema(target.value)}
          />
          <Button
            disabled={isNameTooLong(schema)}
            onClick={() => change(eachTable(draft, () => ({ targetSchema: schema.trim() })))}
          >
            {t('mapping.setForAll')}
          </Button>
        </Space>
      )}
      <Button onClick={() => setRuling(true)}>
        {t(isPlain(draft.tableNames) && isPlain(draft.columnNames) ? 'mapping.rules' : 'mapping.rulesOn')}
      </Button>
      {isRuling && <NamesDialog onClose={() => setRuling(false)} />}
    </>
  );
}
