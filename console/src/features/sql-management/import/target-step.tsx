import { Alert, Button, Checkbox, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  DataImportFile,
  DataImportPreview,
  DataImportRun,
  SqlDatabase,
  UploadRecord,
} from '@/shared/api';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { ErrorState } from '@/shared/ui/error-state';
import { ListChoice } from '@/shared/ui/list-choice';
import { LoadingState } from '@/shared/ui/loading-state';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { Columns } from './columns';
import { type Choice, chosen, fresh, matched, twice, unfilled } from './mapping';
import { Outcome } from './outcome';
import { FilePreview } from './preview';
import { useColumns, useDatabases, usePreview, useTables } from './queries';
import { useImport } from './use-import';

type Mode = NonNullable<DataImportRun['mode']>;
type Delimiter = NonNullable<DataImportFile['delimiter']>;

const DELIMITERS = ['', 'comma', 'semicolon', 'tab', 'pipe'] as const;
const MODES = ['insert', 'upsert', 'replace'] as const;

interface Props {
  file: UploadRecord;
  onAnother: () => void;
  onClose: () => void;
}

/** How the file is read, and where it goes. */
export function TargetStep({ file, onAnother, onClose }: Props) {
  const { t } = useTranslation('sql-management');
  const [reading, setReading] = useState<{ delimiter: Delimiter; header: boolean; sheet: string }>({
    delimiter: '',
    header: true,
    sheet: '',
  });
  const asked: DataImportFile = { uploadId: file.id, ...reading };
  const preview = usePreview(asked);
  const databases = useDatabases();
  const isText = file.kind === 'csv' || file.kind === 'text';
  return (
    <>
      <div className="import-line">
        <strong>{file.name}</strong>
        {isText && (
          <ListChoice
            label={t('import.delimiter')}
            value={reading.delimiter}
            options={DELIMITERS.map((value) => ({ value, label: t(`import.delimiters.${value || 'auto'}`) }))}
            onChange={(delimiter) => setReading({ ...reading, delimiter })}
          />
        )}
        {file.kind === 'xlsx' && (
          <input
            className="plain-field"
            aria-label={t('import.sheet')}
            placeholder={t('import.sheet')}
            defaultValue=""
            onBlur={({ target }) => setReading({ ...reading, sheet: target.value.trim() })}
          />
        )}
        {(isText || file.kind === 'xlsx') && (
          <Checkbox
            checked={reading.header}
            onChange={({ target }) => setReading({ ...reading, header: target.checked })}
          >
            {t('import.header')}
          </Checkbox>
        )}
        <Button onClick={onAnother}>{t('import.another')}</Button>
      </div>
      {preview.error ? (
        <ErrorState error={preview.error} onRetry={preview.refetch} />
      ) : databases.error ? (
        <ErrorState error={databases.error} onRetry={databases.refetch} />
      ) : !preview.data || !databases.data ? (
        <LoadingState rows={6} />
      ) : (
        <>
          <FilePreview found={preview.data} />
          {databases.data.length === 0 ? (
            <Alert type="info" showIcon title={t('import.noDatabases')} />
          ) : (
            <Target
              key={JSON.stringify(preview.data.columns)}
              asked={asked}
              found={preview.data}
              databases={databases.data}
              onClose={onClose}
            />
          )}
        </>
      )}
    </>
  );
}

interface TargetProps {
  asked: DataImportFile;
  found: DataImportPreview;
  databases: SqlDatabase[];
  onClose: () => void;
}

function Target({ asked, found, databases, onClose }: TargetProps) {
  const { t } = useTranslation('sql-management');
  const [databaseId, setDatabase] = useState('');
  const [isNew, setNew] = useState(false);
  const [table, setTable] = useState({ schemaName: '', table: '' });
  const [mode, setMode] = useState<Mode>('insert');
  const [skips, setSkips] = useState(false);
  const [changed, setChanged] = useState<Choice[]>();
  const tables = useTables(databaseId);
  const present = useColumns(isNew ? '' : databaseId, table.schemaName, table.table);
  const run = useImport();
  const confirm = useConfirmDanger();
  const choices = changed ?? (isNew ? fresh(found.columns) : matched(found.columns, present.data ?? []));
  const columns = chosen(choices, isNew);
  const double = twice(choices);
  const reset = () => {
    setChanged(undefined);
    run.reset();
  };
  const refused =
    databaseId === ''
      ? t('chooseFirst')
      : table.table.trim() === '' || (!isNew && !present.data)
        ? t('import.chooseTable')
        : columns.length === 0
          ? t('import.chooseColumns')
          : double
            ? t('import.twice', { name: double })
            : undefined;
  const start = (checkOnly: boolean) => {
    if (refused !== undefined || run.isPending) return;
    const body: DataImportRun = {
      ...asked,
      databaseId,
      schemaName: table.schemaName.trim(),
      table: table.table.trim(),
      create: isNew,
      mode: isNew ? 'insert' : mode,
      columns,
      skipRefused: skips,
      checkOnly,
    };
    if (checkOnly || body.mode !== 'replace') return run.mutate(body);
    confirm({
      title: t('import.replaceTitle', { table: body.table }),
      content: t('import.replaceHint'),
      action: t('import.start'),
      run: async () => run.mutate(body),
    });
  };
  const open = isNew ? [] : unfilled(choices, present.data ?? []);
  return (
    <>
      <div className="import-line">
        <Select
          className="sql-database"
          aria-label={t('database')}
          placeholder={t('databaseChoice')}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={false}
          value={databaseId || null}
          options={databases.map(({ id, name, place, use }) => ({
            value: id,
            label: `${t(`uses.${use}`)} · ${name} · ${place}`,
          }))}
          onChange={(id) => {
            setDatabase(id);
            setTable({ schemaName: '', table: '' });
            reset();
          }}
        />
        <Checkbox
          checked={isNew}
          onChange={({ target }) => {
            setNew(target.checked);
            setTable({ schemaName: '', table: '' });
            reset();
          }}
        >
          {t('import.newTable')}
        </Checkbox>
        {isNew ? (
          (['schemaName', 'table'] as const).map((part) => (
            <input
              key={part}
              className="plain-field"
              aria-label={t(`import.${part}`)}
              placeholder={t(`import.${part}`)}
              maxLength={128}
              value={table[part]}
              onChange={({ target }) => setTable({ ...table, [part]: target.value })}
            />
          ))
        ) : (
          <Select
            className="sql-database"
            aria-label={t('import.table')}
            placeholder={t('import.chooseTable')}
            showSearch={{ optionFilterProp: 'label' }}
            popupMatchSelectWidth={false}
            loading={tables.isFetching}
            disabled={databaseId === ''}
            status={tables.error ? 'error' : ''}
            notFoundContent={tables.error?.message ?? t('import.noTables')}
            value={table.table ? JSON.stringify([table.schemaName, table.table]) : null}
            options={(tables.data?.tables ?? []).map((one) => ({
              value: JSON.stringify([one.schemaName, one.table]),
              label: one.schemaName ? `${one.schemaName}.${one.table}` : one.table,
            }))}
            onChange={(value) => {
              const [schemaName = '', name = ''] = JSON.parse(value) as string[];
              setTable({ schemaName, table: name });
              reset();
            }}
          />
        )}
        {!isNew && (
          <ListChoice
            label={t('import.mode')}
            value={mode}
            options={MODES.map((value) => ({ value: value as Mode, label: t(`import.modes.${value}`) }))}
            onChange={setMode}
          />
        )}
        <Checkbox checked={skips} onChange={({ target }) => setSkips(target.checked)}>
          {t('import.skip')}
        </Checkbox>
      </div>
      {tables.error && <Alert type="error" showIcon title={tables.error.message} />}
      {present.error && <Alert type="error" showIcon title={present.error.message} />}
      {(isNew || present.data) && (
        <Columns
          choices={choices}
          isNew={isNew}
          table={present.data ?? []}
          file={found.columns}
          onChange={setChanged}
        />
      )}
      {open.length > 0 && (
        <Alert type="warning" showIcon title={t('import.unfilled', { columns: open.join(', ') })} />
      )}
      <p>{t(isNew || mode === 'insert' ? 'import.insertNote' : 'import.keyNote')}</p>
      <div className="import-line">
        <RefusableButton refused={refused} loading={run.isPending} onClick={() => start(true)}>
          {t('import.check')}
        </RefusableButton>
        <RefusableButton
          type="primary"
          danger={!isNew && mode === 'replace'}
          refused={refused}
          loading={run.isPending}
          onClick={() => start(false)}
        >
          {t('import.start')}
        </RefusableButton>
        {run.data?.committed && <Button onClick={onClose}>{t('import.close')}</Button>}
      </div>
      <Outcome run={run} />
    </>
  );
}
