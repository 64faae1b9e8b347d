import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DataImportFault, DataImportPreview } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { PlainTable } from '@/shared/ui/plain-table';

/** The first rows of the file, and which of its records are malformed. */
export function FilePreview({ found }: { found: DataImportPreview }) {
  const { t } = useTranslation('sql-management');
  const most = found.most ?? 0;
  return (
    <>
      <p role="status" className="sql-status">
        {t('import.records', { records: count(found.records), columns: count(found.columns.length) })}
      </p>
      {most > 0 && found.records > most && (
        <Alert type="error" showIcon title={t('import.tooMany', { most: count(most) })} />
      )}
      <div className="import-preview">
        <PlainTable
          label={t('import.preview')}
          rows={found.rows}
          rowKey={({ line }) => String(line)}
          columns={[
            { key: ' line', title: t('import.line'), align: 'right', render: ({ line }) => line },
            ...found.columns.map(({ name, type }, place) => ({
              key: name,
              title: `${name} · ${type}`,
              render: ({ values }: DataImportPreview['rows'][number]) =>
                values[place] ?? <em className="sql-null">NULL</em>,
            })),
          ]}
        />
      </div>
      {found.refused > 0 && (
        <>
          <Alert type="warning" showIcon title={t('import.malformed', { records: count(found.refused) })} />
          <Faults faults={found.faults} />
        </>
      )}
    </>
  );
}

/** Refused records with their lines. */
export function Faults({ faults }: { faults: readonly DataImportFault[] }) {
  const { t } = useTranslation('sql-management');
  return (
    <div className="import-preview">
      <PlainTable
        label={t('import.refused')}
        rows={faults}
        rowKey={({ line, column }) => `${line} ${column}`}
        columns={[
          { key: 'line', title: t('import.line'), align: 'right', render: ({ line }) => line },
          { key: 'column', title: t('import.column'), render: ({ column }) => column },
          { key: 'detail', title: t('import.detail'), render: ({ detail }) => detail },
        ]}
      />
    </div>
  );
}
