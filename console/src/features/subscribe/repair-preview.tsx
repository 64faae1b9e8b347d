import { Alert, Button, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, contrastPreviewRepair, type RepairPreviewAnswer, type SheetRecord } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';
import { saveText } from '@/shared/lib/save-file';
import { CopyButton } from '@/shared/ui/copy-button';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { sheetKey } from './queries';
import './subscribe.css';

/** The most that the server reads at once. */
const ROWS = 1000;

interface Props {
  table: SheetRecord;
  /** Why the rows cannot be repaired now; none: they can. */
  refused: string | undefined;
  /** Asks whether to repair. */
  onRepair: () => void;
  onClose: () => void;
}

/** The statements by which a table's differences would be repaired, before anything is written. */
export default function RepairPreview({ table, refused, onRepair, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  const query = useRead({
    queryKey: [sheetKey, 'repair-preview', table.id],
    queryFn: ({ signal }) => call(contrastPreviewRepair({ body: { table: table.id, rows: ROWS }, signal })),
    staleTime: 0,
    gcTime: 0,
  });
  const script = query.data && query.data.statements.length > 0 ? scriptOf(query.data) : undefined;
  return (
    <Modal
      open
      width={960}
      title={t('repairPreview.of', { name: table.source })}
      onCancel={onClose}
      footer={
        <>
          {script && (
            <>
              <CopyButton wide text={script} label={t('repairPreview.copy')} />
              <Button onClick={() => saveText(`${table.source}-repair.sql`, script, 'application/sql')}>
                {t('repairPreview.download')}
              </Button>
            </>
          )}
          <RefusableButton danger refused={refused} onClick={onRepair}>
            {t('comparison.action.repair')}
          </RefusableButton>
        </>
      }
    >
      <p>{t('repairPreview.hint')}</p>
      {query.error && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingState rows={6} />}
      {query.data && <Limits answer={query.data} />}
      {query.data && !script && (
        <EmptyState title={t('repairPreview.empty')} hint={t('repairPreview.emptyHint')} />
      )}
      {script && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
        <pre className="repair-script" tabIndex={0}>
          {script}
        </pre>
      )}
    </Modal>
  );
}

/** Statements for another session, in the order in which they are to run. */
function scriptOf({ settings, statements }: RepairPreviewAnswer): string {
  return [...settings, ...statements.map(({ statement }) => statement)].map((one) => `${one};\n`).join('');
}

function Limits({ answer: { statements, examined, total, cut } }: { answer: RepairPreviewAnswer }) {
  const { t } = useTranslation('subscribe');
  const isPart = cut || examined < total;
  return (
    <Alert
      type={isPart ? 'warning' : 'info'}
      showIcon
      title={t('repairPreview.count', { count: statements.length, examined, total })}
      description={isPart ? t('repairPreview.part') : undefined}
    />
  );
}
