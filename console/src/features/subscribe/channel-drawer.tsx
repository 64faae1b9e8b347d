import { Checkbox, Form, InputNumber } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ChannelRecord, call, type MasterRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { NameField } from '@/shared/ui/name-field';
import { calls, useRefresh } from './queries';

interface Props {
  /** Whose further channel it is. */
  master?: MasterRecord;
  /** What is edited. */
  channel?: ChannelRecord;
  onClose: () => void;
}

interface Settings {
  name: string;
  threads: number;
  lanes: number;
  start?: boolean;
}

/** How many threads load at most. */
export const MAX_THREADS = 100;
/** Maximum of parallel appliers. */
export const MAX_APPLIERS = 16;

/** A channel's name, its number of tables loaded at a time, and its number of parallel appliers. */
export default function ChannelDrawer({ master, channel, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const refresh = useRefresh();
  const save = async ({ name, threads, lanes, start = true }: Settings) => {
    if (channel) await call(calls.editChannel({ body: { channelId: channel.id, name, threads, lanes } }));
    else await call(calls.addChannel({ body: { controlId: master?.id ?? '', name, threads, lanes, start } }));
    await refresh();
    notify('success', t('saved', { name }));
  };
  return (
    <FormDrawer<Settings>
      asked={channel ? 'modify' : 'submit'}
      title={channel ? t('channel.edit', { name: channel.name }) : t('channel.create')}
      open={isActive}
      initialValues={
        channel
          ? { name: channel.name, threads: channel.threads, lanes: channel.lanes }
          : { threads: 2, lanes: 1, start: true }
      }
      onSubmit={save}
      onClose={onClose}
    >
      <NameField label={t('channel.name')} emptyFault={t('nameFault')} />
      <ThreadsField />
      <AppliersField />
      {!channel && (
        <Form.Item name="start" valuePropName="checked">
          <Checkbox>{t('channel.startAtOnce')}</Checkbox>
        </Form.Item>
      )}
    </FormDrawer>
  );
}

export function ThreadsField() {
  const { t } = useTranslation('subscribe');
  return (
    <Form.Item
      name="threads"
      label={t('channel.threads')}
      extra={t('channel.threadsHint')}
      rules={[
        {
          required: true,
          type: 'integer',
          min: 1,
          max: MAX_THREADS,
          message: t('channel.threadsFault', { maximum: MAX_THREADS }),
        },
      ]}
    >
      <InputNumber controls={false} />
    </Form.Item>
  );
}

/** Number of a channel's parallel appliers. */
export function AppliersField() {
  const { t } = useTranslation('subscribe');
  return (
    <Form.Item
      name="lanes"
      label={t('channel.lanes')}
      extra={t('channel.lanesHint')}
      rules={[
        {
          required: true,
          type: 'integer',
          min: 1,
          max: MAX_APPLIERS,
          message: t('channel.lanesFault', { maximum: MAX_APPLIERS }),
        },
      ]}
    >
      <InputNumber controls={false} />
    </Form.Item>
  );
}
