import { Space } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AttemptRecord } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { Moment } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { LogAroundLink } from '../logs/around-link';

interface Props {
  /** Its id. */
  service: string;
  attempts: readonly AttemptRecord[];
}

/** How the earlier runs of a service's process ended: as asked, or with a cause. */
export function AttemptList({ service, attempts }: Props) {
  const { t } = useTranslation('service');
  return (
    <PlainTable<AttemptRecord>
      label={t('attempts')}
      rows={attempts}
      rowKey={({ startedAt }) => startedAt}
      columns={[
        {
          key: 'startedAt',
          title: t('began'),
          width: 180,
          render: ({ startedAt }) => <Moment at={startedAt} />,
        },
        { key: 'endedAt', title: t('ended'), width: 180, render: ({ endedAt }) => <Moment at={endedAt} /> },
        { key: 'result', title: t('result'), width: 220, render: (attempt) => <Result attempt={attempt} /> },
        { key: 'reason', title: t('cause'), render: ({ reason }) => reason?.text ?? '–' },
        {
          key: 'log',
          title: t('log'),
          width: 100,
          render: ({ endedAt }) => (
            <LogAroundLink at={endedAt} source={service} name={t('logNamed', { at: time(endedAt) })}>
              {t('logAround')}
            </LogAroundLink>
          ),
        },
      ]}
    />
  );
}

/** How agents report the end of a process. */
const ENDED = /^(exit|signal) (\d+)$/;

function Result({ attempt: { result, reason } }: { attempt: AttemptRecord }) {
  const { t } = useTranslation('service');
  const [, by, number] = ENDED.exec(result) ?? [];
  return (
    <Space size={8}>
      <StateTag state={reason ? 'abnormal-stop' : 'normal-stop'} reason={reason} />
      {by === 'exit' || by === 'signal'
        ? t(`endedBy.${by}`, { number })
        : result === 'stuck'
          ? t('endedBy.stuck')
          : result}
    </Space>
  );
}
