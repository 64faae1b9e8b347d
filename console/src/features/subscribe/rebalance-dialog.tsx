import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Form, InputNumber, Modal, Radio, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type MasterRecord } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { MovePlan } from './move-plan';
import { calls, useAsk } from './queries';
import { type ResultHandlers, useReportResults } from './use-report-results';
import './subscribe.css';
import { refusableFooter } from '@/shared/ui/refusable-footer';

interface Props extends ResultHandlers {
  master: Pick<MasterRecord, 'id' | 'name'>;
  onClose: () => void;
}

interface Limits {
  mode: 'full' | 'incremental';
  lower: number;
  upper: number;
}

const initial: Limits = { mode: 'incremental', lower: 80, upper: 120 };

/** Rebalance: limits are given, what would move is shown, then exactly that is asked for. */
export default function RebalanceDialog({ master, onClose, ...handlers }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const [form] = Form.useForm<Limits>();
  const preview = useMutation({
    mutationFn: (limits: Limits) =>
      call(calls.previewRebalance({ body: { controlId: master.id, ...limits } })),
  });
  const moves = preview.data?.moves ?? [];
  const rebalance = useAsk('submit', () =>
    call(
      calls.rebalance({
        body: {
          controlId: master.id,
          moves: moves.map(({ id, fromChannelId, channelId }) => ({ table: id, fromChannelId, channelId })),
        },
      }),
    ),
  );
  const report = useReportResults(handlers);
  const move = async () => {
    report(await rebalance.mutateAsync(undefined));
    onClose();
  };
  return (
    <Modal
      title={t('move.rebalanceTitle', { name: master.name })}
      open={isActive}
      onCancel={onClose}
      mask={{ closable: false }}
      width={760}
      footer={refusableFooter({
        refused: moves.length > 0 ? undefined : t(preview.data ? 'move.noneMovable' : 'move.previewFirst'),
        text: t('move.do', { count: moves.length }),
        isPending: rebalance.isPending,
        // A refusal is answered by the notice that every failed change gets.
        onOk: () => move().catch(() => undefined),
      })}
    >
      <p>{t('move.rebalanceHint')}</p>
      <Form<Limits>
        form={form}
        layout="vertical"
        initialValues={initial}
        // What was shown holds for the limits that it was asked for only.
        onValuesChange={() => preview.reset()}
        onFinish={(limits) => preview.mutate(limits)}
      >
        <Form.Item name="mode" label={t('move.mode')}>
          <Radio.Group
            options={(['incremental', 'full'] as const).map((value) => ({
              value,
              label: t(`move.modes.${value}`),
            }))}
          />
        </Form.Item>
        <Space align="end" size="middle">
          <LimitField name="lower" minimum={0} maximum={100} />
          <LimitField name="upper" minimum={100} maximum={10_000} />
          <Form.Item>
            <Button htmlType="submit" loading={preview.isPending}>
              {t('move.preview')}
            </Button>
          </Form.Item>
        </Space>
      </Form>
      {preview.data && !preview.data.reached && (
        <Alert type="warning" showIcon title={t('move.notReached')} />
      )}
      {preview.data?.reached && moves.length === 0 && (
        <Alert type="info" showIcon title={t('move.nothing')} />
      )}
      {preview.data && !(preview.data.reached && moves.length === 0) && (
        <MovePlan plan={preview.data} withLoad />
      )}
    </Modal>
  );
}

function LimitField({
  name,
  minimum,
  maximum,
}: {
  name: 'lower' | 'upper';
  minimum: number;
  maximum: number;
}) {
  const { t } = useTranslation('subscribe');
  return (
    <Form.Item
      name={name}
      label={t(`move.${name}`)}
      rules={[
        {
          required: true,
          type: 'integer',
          min: minimum,
          max: maximum,
          message: t('move.limitFault', { minimum, maximum }),
        },
      ]}
    >
      <InputNumber controls={false} suffix="%" />
    </Form.Item>
  );
}
