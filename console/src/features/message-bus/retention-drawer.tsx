import { Alert, Form, InputNumber } from 'antd';
import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import {
  audited,
  type BusTopicRecord,
  call,
  messageBusEditRetention,
  type RetentionPreview,
} from '@/shared/api';
import { bytes, count } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { ErrorState } from '@/shared/ui/error-state';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { LoadingState } from '@/shared/ui/loading-state';
import { type TopicPlace, useRefresh, useRetentionPreview } from './queries';

const MAX_HOURS = 8760;

interface Values {
  retentionHours: number;
}

interface Props {
  place: TopicPlace;
  topic: BusTopicRecord;
  onClose: () => void;
}

/** How long a node's topics keep their records, with what a shorter time takes away. */
export default function RetentionDrawer({ place, topic, onClose }: Props) {
  const { t } = useTranslation('message-bus');
  const confirm = useConfirmDanger();
  const refresh = useRefresh();
  const before = topic.retentionHours ?? 0;
  const save = async ({ retentionHours }: Values) => {
    const change = async () => {
      const body = { ...place, retentionHours };
      await call(
        messageBusEditRetention({ body, ...audited({ retentionHours: before }, { retentionHours }) }),
      );
      notify(
        'success',
        t('retentionSaved', { name: topic.nodeName, hours: t('hours', { count: retentionHours }) }),
      );
      await refresh();
    };
    if (retentionHours >= before) {
      await change();
      return true;
    }
    return new Promise<boolean>((resolve) => {
      confirm({
        title: t('shortenTitle', { name: topic.nodeName, hours: t('hours', { count: retentionHours }) }),
        content: t('shortenHint'),
        action: t('shorten'),
        run: async () => {
          await change();
          resolve(true);
        },
        onDecline: () => resolve(false),
      });
    });
  };
  return (
    <FormDrawer<Values>
      asked="modify"
      title={t('retentionTitle', { name: topic.nodeName })}
      open
      initialValues={{ retentionHours: before }}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t('retentionHint')}</p>
      <Form.Item
        name="retentionHours"
        label={t('retentionHours')}
        rules={[{ required: true, message: t('retentionFault', { max: MAX_HOURS }) }]}
      >
        <InputNumber min={1} max={MAX_HOURS} precision={0} suffix={t('hoursUnit')} style={{ width: 200 }} />
      </Form.Item>
      <Preview place={place} before={before} />
    </FormDrawer>
  );
}

function Preview({ place, before }: { place: TopicPlace; before: number }) {
  const entered = useDeferredValue(Form.useWatch('retentionHours') as number | null | undefined);
  const hours = entered && entered !== before ? entered : null;
  const query = useRetentionPreview(place, hours);
  if (hours === null) return null;
  if (query.data) return <Effects preview={query.data} isLonger={hours > before} />;
  return query.error ? <ErrorState error={query.error} onRetry={query.refetch} /> : <LoadingState rows={3} />;
}

function Effects({ preview, isLonger }: { preview: RetentionPreview; isLonger: boolean }) {
  const { t } = useTranslation('message-bus');
  const { removedRecords, removedBytes, losing, expiring, expiringTotal } = preview;
  const nothing = removedRecords === 0 && expiringTotal === 0;
  return (
    <>
      {nothing && <Alert type="info" showIcon title={t(isLonger ? 'longerKeeps' : 'removesNothing')} />}
      {removedRecords > 0 && (
        <Alert
          type="warning"
          showIcon
          className="bus-alert"
          title={t('removes', { count: removedRecords, size: bytes(removedBytes) })}
        />
      )}
      {losing.length > 0 && (
        <Alert
          type="error"
          showIcon
          className="bus-alert"
          title={t('losing', { count: losing.length })}
          description={
            <ul className="bus-list">
              {losing.map(({ kind, owner, name, records }) => (
                <li key={`${kind} ${owner} ${name}`}>
                  {owner} / {name}: {records === null ? t('losesUnknown') : t('loses', { count: records })}
                </li>
              ))}
            </ul>
          }
        />
      )}
      {expiringTotal > 0 && (
        <Alert
          type="warning"
          showIcon
          className="bus-alert"
          title={t('expiring', { count: expiringTotal })}
          description={`${expiring.join(', ')}${expiringTotal > expiring.length ? ` … (${count(expiringTotal)})` : ''}`}
        />
      )}
    </>
  );
}
