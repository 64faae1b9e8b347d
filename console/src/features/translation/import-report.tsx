import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ImportConflict, ImportFault, ImportPreview } from '@/shared/api';
import { PlainTable } from '@/shared/ui/plain-table';

const keyOf = ({ key, language }: { key: string; language: string }) => `${key} ${language}`;

/** What an import would change, and what stands against it. */
export function ImportReport({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation('translation');
  const { added, same, conflictCount, unknownCount, faultCount } = preview;
  const counts = t('import.counts', { added, same, conflicts: conflictCount, unknown: unknownCount });
  return (
    <section className="translation-report" aria-label={t('import.report')}>
      <p>{counts}</p>
      {faultCount > 0 && (
        <>
          <Alert type="error" showIcon role="alert" title={t('import.refused', { count: faultCount })} />
          <Faults faults={preview.faults} />
          <More shown={preview.faults.length} total={faultCount} />
        </>
      )}
      {conflictCount > 0 && (
        <>
          <h3>{t('import.conflicts')}</h3>
          <Conflicts conflicts={preview.conflicts} />
          <More shown={preview.conflicts.length} total={conflictCount} />
        </>
      )}
      {unknownCount > 0 && (
        <>
          <h3>{t('import.unknown')}</h3>
          <p>{preview.unknown.join('  ')}</p>
          <More shown={preview.unknown.length} total={unknownCount} />
        </>
      )}
    </section>
  );
}

function Faults({ faults }: { faults: readonly ImportFault[] }) {
  const { t } = useTranslation('translation');
  return (
    <PlainTable<ImportFault>
      label={t('import.faults')}
      rows={faults}
      rowKey={keyOf}
      columns={[
        { key: 'key', title: t('key'), render: ({ key }) => key },
        { key: 'language', title: t('language'), width: 90, render: ({ language }) => t(language) },
        { key: 'reason', title: t('import.reason'), render: ({ reason }) => reason },
      ]}
    />
  );
}

function Conflicts({ conflicts }: { conflicts: readonly ImportConflict[] }) {
  const { t } = useTranslation('translation');
  return (
    <PlainTable<ImportConflict>
      label={t('import.conflicts')}
      rows={conflicts}
      rowKey={keyOf}
      columns={[
        { key: 'key', title: t('key'), render: ({ key }) => key },
        { key: 'custom', title: t('import.now'), render: ({ custom }) => custom },
        { key: 'file', title: t('import.inFile'), render: ({ file }) => file },
      ]}
    />
  );
}

function More({ shown, total }: { shown: number; total: number }) {
  const { t } = useTranslation('translation');
  return total > shown ? <p>{t('import.more', { count: total - shown })}</p> : null;
}
