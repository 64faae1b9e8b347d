import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, type SheetRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { ThreadsField } from './channel-drawer';
import { calls, useRefresh } from './queries';

interface Props {
  /** Whose channels are set; the first one's threads are what the form begins with. */
  tables: readonly SheetRecord[];
  onClose: () => void;
}

/** How many tables the channels of the chosen ones load at a time. */
export default function ThreadsDrawer({ tables, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  const isActive = usePageActive();
  const refresh = useRefresh();
  const channels = new Map(tables.map(({ channelId, channelName }) => [channelId, channelName]));
  const save = async ({ threads }: { threads: number }) => {
    try {
      for (const [channelId, name] of channels)
        await call(calls.editChannel({ body: { channelId, name, threads } }));
    } finally {
      await refresh();
    }
    notify('success', t('channel.threadsDone', { count: channels.size }));
  };
  const names = [...channels.values()].join(', ');
  return (
    <FormDrawer<{ threads: number }>
      title={t('channel.threadsTitle', { count: channels.size })}
      open={isActive}
      initialValues={{ threads: tables[0]?.loadThreads }}
      onSubmit={save}
      onClose={onClose}
    >
      <Alert type="info" showIcon className="sync-alert" title={t('channel.threadsOf', { names })} />
      <ThreadsField />
    </FormDrawer>
  );
}
