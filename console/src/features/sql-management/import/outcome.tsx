import type { UseMutationResult } from '@tanstack/react-query';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DataImportResult, DataImportRun } from '@/shared/api';
import { count, duration } from '@/shared/lib/figures';
import { Faults } from './preview';

/** What came of the import: committed, only checked, or undone, with the records that were refused. */
export function Outcome({ run }: { run: UseMutationResult<DataImportResult, Error, DataImportRun> }) {
  const { t } = useTranslation('sql-management');
  if (run.isPending) return null;
  if (run.error) {
    return (
      <Alert
        type="error"
        role="alert"
        showIcon
        title={t('import.failed')}
        description={<span className="sql-error">{run.error.message}</span>}
      />
    );
  }
  if (!run.data) return null;
  const { committed, written, refused, faults, durationMs } = run.data;
  const facts = { written: count(written), refused: count(refused), time: duration(durationMs) };
  const key = committed ? 'committed' : run.variables?.checkOnly ? 'checked' : 'undone';
  return (
    <div ref={show} className="import-outcome">
      <Alert
        type={committed ? (refused ? 'warning' : 'success') : run.variables?.checkOnly ? 'info' : 'error'}
        role="status"
        showIcon
        title={t(`import.outcome.${key}`, facts)}
      />
      {faults.length > 0 && <Faults faults={faults} />}
    </div>
  );
}

/** It stands below the columns, which may fill the screen. */
function show(outcome: HTMLElement | null): void {
  outcome?.scrollIntoView({ block: 'nearest' });
}
