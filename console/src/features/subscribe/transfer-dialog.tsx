import { useMutation } from '@tanstack/react-query';
import { Form, Modal, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type SheetRecord } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { MovePlan } from './move-plan';
import { calls, useAsk, useChannelsOf } from './queries';
import { type ResultHandlers, useReportResults } from './use-report-results';
import './subscribe.css';
import { refusableFooter } from '@/shared/ui/refusable-footer';

interface Props extends ResultHandlers {
  /** The first one's master says which channels there are. */
  tables: readonly SheetRecord[];
  onClose: () => void;
}

/** Channel transfer: the target is chosen, what would move is shown, then it is asked for. */
export default function TransferDialog({ tables, onClose, ...handlers }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const [first] = tables;
  const channels = useChannelsOf(first?.controlId ?? '');
  const [channelId, setChannelId] = useState<string>();
  const body = { tables: tables.map(({ id }) => id), channelId: channelId ?? '' };
  const preview = useMutation({
    mutationFn: (wanted: string) => call(calls.previewTransfer({ body: { ...body, channelId: wanted } })),
  });
  const transfer = useAsk('submit', () => call(calls.transfer({ body })));
  const report = useReportResults(handlers);
  const choose = (wanted: string) => {
    setChannelId(wanted);
    preview.mutate(wanted);
  };
  const [isAsked, setAsked] = useState(false);
  const move = async () => {
    setAsked(true);
    if (!channelId) return;
    report(await transfer.mutateAsync(undefined));
    onClose();
  };
  const fault = isAsked && !channelId ? t('move.chooseTarget') : '';
  const count = preview.data?.moves.length ?? 0;
  return (
    <Modal
      title={t('move.transferTitle', { count: tables.length })}
      open={isActive}
      onCancel={onClose}
      mask={{ closable: false }}
      width={760}
      footer={refusableFooter({
        refused: channelId !== undefined && count === 0 ? t('move.noneMovable') : undefined,
        text: t('move.do', { count }),
        isPending: transfer.isPending || preview.isPending,
        // A refusal is answered by the notice that every failed change gets.
        onOk: () => move().catch(() => undefined),
      })}
    >
      <p>{t('move.transferHint')}</p>
      <Form layout="vertical">
        <Form.Item
          label={t('move.target')}
          required
          extra={channels.error?.message}
          validateStatus={fault && 'error'}
          help={fault || undefined}
        >
          <Select
            aria-label={t('move.target')}
            placeholder={t('move.chooseTarget')}
            value={channelId ?? null}
            loading={channels.isPending || preview.isPending}
            onChange={(value: string | null) => value !== null && choose(value)}
            options={(channels.data?.records ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Form.Item>
      </Form>
      {preview.data && <MovePlan plan={preview.data} withLoad={false} />}
    </Modal>
  );
}
