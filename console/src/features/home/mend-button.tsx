import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, type ProblemRecord, serviceModifyStatus, syncLinkResumeTables } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { notify } from '@/shared/lib/notices';
import { customerPaths } from '@/shared/pages/paths';

/** Asks for what mends a problem; returns why it was refused. */
async function ask({ mend, linkId, serviceId, subject }: ProblemRecord): Promise<string | null> {
  if (mend === 'retry' && linkId) {
    const [result] = await call(syncLinkResumeTables({ body: { id: linkId, tables: [subject] } }));
    return result && !result.done ? result.reason : null;
  }
  const ids = serviceId ? [serviceId] : [];
  const [result] = await call(serviceModifyStatus({ body: { ids, status: 'started' } }));
  return result && !result.done ? result.error : null;
}

interface Props {
  problem: ProblemRecord;
  /** The page on which it is mended otherwise. */
  path: string | undefined;
}

/** What mends a problem, for those who may: another try or a start at once, else the way to what must be decided. */
export function MendButton({ problem, path }: Props) {
  const { t } = useTranslation('home');
  const { mend, kind, subject } = problem;
  const mayLinks = useMay('sync-link');
  const mayServices = useMay('system/service_management');
  const mayCompute = useMay('stream');
  const { mutate, isPending } = useMutation({
    mutationFn: () => ask(problem),
    meta: { asked: 'status' },
    onSuccess: (refusal) =>
      refusal === null
        ? notify('success', t(`problems.asked.${mend ?? 'retry'}`, { subject }))
        : notify('error', refusal),
  });
  const may = mend === 'retry' ? mayLinks('operate') : mayServices('operate');
  if (mend && may)
    return (
      <Button size="small" loading={isPending} onClick={() => mutate()}>
        {t(`problems.mend.${mend}`, { subject })}
      </Button>
    );
  if ((kind === 'row-errors' || kind === 'differences') && path && mayLinks('view'))
    return <Link to={path}>{t(`problems.mend.${kind}`)}</Link>;
  if (kind === 'computation' && mayCompute('view'))
    return <Link to={customerPaths.stream.masters()}>{t('problems.mend.computation')}</Link>;
  return null;
}
