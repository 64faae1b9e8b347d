import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type TaskTableRecord, verificationRepair } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { Moment } from '@/shared/ui/figures';
import { useRefresh } from './queries';

interface Props {
  row: TaskTableRecord;
  mayRepair: boolean;
}

/** Until when a table was proved equal to its source; while rows are known to differ, how many, and the way to repair them. */
export function VerifiedCell({ row, mayRepair }: Props) {
  const { verification } = row;
  if (!verification) return '–';
  if (verification.differences > 0) return <Differing row={row} mayRepair={mayRepair} />;
  return verification.verifiedUntil ? <Moment at={verification.verifiedUntil} /> : <Why row={row} />;
}

/** Why a table was not verified yet. */
function Why({ row: { verification } }: { row: TaskTableRecord }) {
  const { t } = useTranslation('sync');
  const text = verification?.reason?.text ?? t('verified.underWay');
  return <span title={text}>{text}</span>;
}

function Differing({ row, mayRepair }: Props) {
  const { t } = useTranslation('sync');
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  const { mutateAsync } = useMutation({
    mutationFn: () => call(verificationRepair({ body: { tables: [row.id] } })),
    onSettled: refresh,
  });
  const { differences = 0, missing = 0, extra = 0, different = 0, repairing } = row.verification ?? {};
  const words = t(repairing ? 'verified.repairing' : 'verified.differing', { count: differences });
  if (!mayRepair || repairing) return <span data-failed>{words}</span>;
  const ask = () =>
    confirm({
      title: t('verified.askTitle', { name: row.source }),
      content: t('verified.ask', { missing, extra, different }),
      action: t('verified.repair'),
      run: async () => {
        const [result] = await mutateAsync();
        if (result?.done) notify('success', t('verified.ordered'));
        else notify('error', result?.reason ?? '');
      },
    });
  return (
    <Button type="link" danger className="table-reason" title={t('verified.repair')} onClick={ask}>
      {words}
    </Button>
  );
}
