import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { Moment } from '@/shared/ui/figures';

const VerifiedDrawer = lazy(() => import('./verified-drawer'));

interface Props {
  row: TaskTableRecord;
  mayRepair: boolean;
}

/** Until when a table was proved equal to its source; while rows are known to differ, how many, and the way to them. */
export function VerifiedCell({ row, mayRepair }: Props) {
  const { verification } = row;
  const [open, setOpen] = useState(false);
  const differs = (verification?.differences ?? 0) > 0;
  return (
    <>
      {differs ? <Differing row={row} onOpen={() => setOpen(true)} /> : <Proved row={row} />}
      {open && (
        <Suspense fallback={null}>
          <VerifiedDrawer row={row} mayRepair={mayRepair} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Until when, or why it was not verified yet. */
function Proved({ row: { verification } }: { row: TaskTableRecord }) {
  const { t } = useTranslation('sync');
  if (!verification) return '–';
  if (verification.verifiedUntil) return <Moment at={verification.verifiedUntil} />;
  const text = verification.reason?.text ?? t('verified.underWay');
  return <span title={text}>{text}</span>;
}

function Differing({ row: { verification }, onOpen }: { row: TaskTableRecord; onOpen: () => void }) {
  const { t } = useTranslation('sync');
  const { differences = 0, repairing } = verification ?? {};
  return (
    <Button type="link" danger className="table-reason" title={t('verified.show')} onClick={onOpen}>
      {t(repairing ? 'verified.repairing' : 'verified.differing', { count: differences })}
    </Button>
  );
}
