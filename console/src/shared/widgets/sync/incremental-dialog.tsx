import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Checkbox, Form, InputNumber, Modal, Radio, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncrementalPositionRecord, TaskTableRecord } from '@/shared/api';
import { fullCount } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { Moment } from '@/shared/ui/figures';
import { MOMENT, MomentInput } from '@/shared/ui/moment-input';
import { PlainTable } from '@/shared/ui/plain-table';
import { refusableFooter } from '@/shared/ui/refusable-footer';
import type { TableResult } from './refused-tables';

/** A moment or an offset. */
export interface StartPosition {
  time?: string | null;
  offset?: number | null;
}

interface Props {
  tables: readonly TaskTableRecord[];
  /** Where the changes of the tables would begin. */
  find: (place: StartPosition) => Promise<IncrementalPositionRecord>;
  /** Lets them begin there; `hold`: when they are resumed. */
  start: (place: StartPosition & { hold: boolean }) => Promise<readonly TableResult[]>;
  /** Called where some were refused. */
  onResults: (results: readonly TableResult[]) => void;
  onClose: () => void;
}

type By = 'time' | 'offset';

/** Start position for stopped tables. The position is resolved first, with the changes that wait behind it. */
export default function IncrementalDialog({ tables, onResults, onClose, ...calls }: Props) {
  const { t } = useTranslation('sync');
  const isActive = usePageActive();
  const find = useMutation({ mutationFn: calls.find });
  const start = useMutation({
    mutationFn: calls.start,
    meta: { quiet: true },
    onError: ({ message }) => notify('error', t('table.begin.failed', { reason: message })),
  });
  const [by, setBy] = useState<By>('time');
  const [time, setTime] = useState('');
  const [offset, setOffset] = useState<number | null>(null);
  const [hold, setHold] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const given = by === 'time' ? MOMENT.test(time) : offset !== null;
  const place = by === 'time' ? { time: given ? new Date(time).toISOString() : null } : { offset };
  // What was found holds for the place that was asked for only.
  const change = (apply: () => void) => {
    apply();
    setIsAsked(false);
    find.reset();
  };
  const look = () => {
    setIsAsked(true);
    if (given) find.mutate(place);
  };
  const fault =
    isAsked && !given ? t(by === 'time' ? 'table.begin.timeFault' : 'table.begin.offsetFault') : '';
  const begin = async () => {
    const results = await start.mutateAsync({ ...place, hold });
    if (results.every(({ done }) => done))
      notify('success', t(hold ? 'table.begin.held' : 'table.begin.started', { count: results.length }));
    else onResults(results);
    onClose();
  };
  return (
    <Modal
      title={t('table.begin.title', { count: tables.length })}
      open={isActive}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={refusableFooter({
        refused: find.data ? undefined : t('table.begin.findFirst'),
        text: t(hold ? 'table.begin.set' : 'table.begin.start'),
        isPending: start.isPending,
        onOk: () => begin().catch(() => undefined),
      })}
    >
      <Form layout="vertical" onFinish={look}>
        <Form.Item>
          <Radio.Group
            aria-label={t('table.begin.by')}
            value={by}
            onChange={({ target }) => change(() => setBy(target.value))}
            options={[
              { value: 'time', label: t('table.begin.byTime') },
              { value: 'offset', label: t('table.begin.byOffset') },
            ]}
          />
        </Form.Item>
        <Form.Item
          label={t(by === 'time' ? 'table.begin.time' : 'table.begin.offset')}
          extra={t(by === 'time' ? 'table.begin.timeHint' : 'table.begin.offsetHint')}
          validateStatus={fault && 'error'}
          help={fault || undefined}
        >
          <Space.Compact block>
            {by === 'time' ? (
              <MomentInput
                precision="second"
                aria-label={t('table.begin.time')}
                value={time}
                onChange={(wall) => change(() => setTime(wall))}
              />
            ) : (
              <InputNumber
                controls={false}
                min={0}
                precision={0}
                style={{ width: '100%' }}
                aria-label={t('table.begin.offset')}
                value={offset}
                onChange={(value) => change(() => setOffset(value))}
              />
            )}
            <Button htmlType="submit" loading={find.isPending}>
              {t('table.begin.find')}
            </Button>
          </Space.Compact>
        </Form.Item>
      </Form>
      {find.data && <Found place={find.data} />}
      <Checkbox className="sync-hold" checked={hold} onChange={({ target }) => setHold(target.checked)}>
        {t('table.begin.hold')}
      </Checkbox>
    </Modal>
  );
}

function Found({ place }: { place: IncrementalPositionRecord }) {
  const { t } = useTranslation('sync');
  const { offset, firstOffset, nextOffset, complete } = place;
  return (
    <>
      <Alert type="info" title={t('table.begin.found', { offset, firstOffset, nextOffset })} />
      <PlainTable
        label={t('table.begin.waiting')}
        rows={place.tables}
        rowKey={({ source }) => source}
        columns={[
          { key: 'source', title: t('table.source'), render: ({ source }) => source },
          {
            key: 'changes',
            title: t('table.begin.changes'),
            align: 'right',
            render: ({ changes }) => fullCount(changes) + (complete ? '' : '+'),
          },
          {
            key: 'first',
            title: t('table.begin.first'),
            render: ({ firstChangeAt }) => <Moment at={firstChangeAt} />,
          },
        ]}
      />
    </>
  );
}
