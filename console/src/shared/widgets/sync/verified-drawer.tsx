import { useMutation } from '@tanstack/react-query';
import { Button, Drawer, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type TaskTableRecord, verificationPageDifferences, verificationRepair } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { Count, KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { DifferencesTable } from '@/shared/widgets/differences';
import { useRefresh } from './queries';

interface Props {
  row: TaskTableRecord;
  mayRepair: boolean;
  onClose: () => void;
}

/** The rows of a table that are known to differ from their source, and the way to repair them. */
export default function VerifiedDrawer({ row, mayRepair, onClose }: Props) {
  const { t } = useTranslation('sync');
  const isActive = usePageActive();
  const { verification, source } = row;
  return (
    <Drawer
      title={t('verified.of', { name: source })}
      open={isActive}
      onClose={onClose}
      size="80%"
      className="table-drawer"
      extra={mayRepair && <RepairButton row={row} />}
    >
      <KeyFigures>
        <KeyFigure label={t('verified.until')}>
          <Moment at={verification?.verifiedUntil ?? null} />
        </KeyFigure>
        <KeyFigure label={t('verified.since')}>
          <Moment at={verification?.differencesSince ?? null} />
        </KeyFigure>
        {(['missing', 'extra', 'different'] as const).map((name) => (
          <KeyFigure key={name} label={t(`verified.${name}`)}>
            <Count value={verification?.[name] ?? 0} />
          </KeyFigure>
        ))}
      </KeyFigures>
      <DifferencesTable
        table={row.id}
        queryKey={['verification']}
        page={(body, signal) => call(verificationPageDifferences({ body, signal }))}
        emptyHint={t('verified.emptyHint')}
      />
    </Drawer>
  );
}

function RepairButton({ row }: { row: TaskTableRecord }) {
  const { t } = useTranslation('sync');
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  const { mutateAsync } = useMutation({
    mutationFn: () => call(verificationRepair({ body: { tables: [row.id] } })),
    onSettled: refresh,
  });
  const { differences = 0, missing = 0, extra = 0, different = 0, repairing } = row.verification ?? {};
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
    <Space>
      {repairing && t('verified.repairing', { count: differences })}
      <Button danger disabled={repairing || differences === 0} onClick={ask}>
        {t('verified.repair')}
      </Button>
    </Space>
  );
}
