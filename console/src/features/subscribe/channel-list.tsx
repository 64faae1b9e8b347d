import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChannelRecord, call } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { duration } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { ActionButtons } from '@/shared/ui/action-buttons';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useAudience } from './audience';
import { Counts } from './counts';
import { calls, useAsk, useChannelsOf } from './queries';

// What is opened by few comes when it is opened.
const ChannelDrawer = lazy(() => import('./channel-drawer'));
const MetricsDrawer = lazy(() => import('@/shared/widgets/metrics/metrics-drawer'));

/** The channels of one master: what each does, and what can be asked of it. */
export function ChannelList({ controlId, isSteered }: { controlId: string; isSteered: boolean }) {
  const { t } = useTranslation('subscribe');
  const { paths } = useAudience();
  const query = useChannelsOf(controlId);
  const [edited, setEdited] = useState<ChannelRecord>();
  const [measured, setMeasured] = useState<ChannelRecord>();
  if (!query.data)
    return query.error ? (
      <ErrorState error={query.error} onRetry={query.refetch} />
    ) : (
      <LoadingState rows={2} />
    );
  return (
    <>
      <PlainTable<ChannelRecord>
        label={t('channels')}
        rows={query.data.records}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: t('channel.name'), render: ({ name }) => name },
          {
            key: 'state',
            title: t('state'),
            render: ({ state, reason, heldUp, stateSince }) => (
              <StateTag state={state} reason={reason} heldUp={heldUp} since={stateSince} />
            ),
          },
          { key: 'container', title: t('container'), render: ({ containerName }) => containerName },
          { key: 'threads', title: t('channel.threads'), align: 'right', render: ({ threads }) => threads },
          { key: 'lanes', title: t('channel.lanes'), align: 'right', render: ({ lanes }) => lanes },
          {
            key: 'tables',
            title: t('tables'),
            align: 'right',
            render: ({ id, tables }) => <Counts tables={tables} to={paths.sheet({ channel: id })} />,
          },
          { key: 'lag', title: t('lag'), align: 'right', render: ({ lagMs }) => duration(lagMs) },
          {
            key: 'actions',
            title: t('actions'),
            render: (channel) => (
              <ChannelActions
                channel={channel}
                isSteered={isSteered}
                onEdit={setEdited}
                onMeasure={setMeasured}
              />
            ),
          },
        ]}
      />
      <Suspense>
        {edited && <ChannelDrawer channel={edited} onClose={() => setEdited(undefined)} />}
        {measured && (
          <MetricsDrawer
            kind="channel"
            id={measured.id}
            name={measured.name}
            onClose={() => setMeasured(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

interface ActionsProps {
  channel: ChannelRecord;
  /** A sync link steers it: it can only be read. */
  isSteered: boolean;
  onEdit: (channel: ChannelRecord) => void;
  onMeasure: (channel: ChannelRecord) => void;
}

function ChannelActions({ channel, isSteered, onEdit, onMeasure }: ActionsProps) {
  const { t } = useTranslation(['subscribe', 'metric']);
  const may = useMay(useAudience().menu);
  const { id: channelId, name, actions } = channel;
  const steer = useAsk('status', (verb: 'start' | 'stop') =>
    call((verb === 'start' ? calls.startChannel : calls.stopChannel)({ body: { channelId } })),
  );
  const remove = useAsk('delete', (body: Parameters<typeof calls.deleteChannel>[0]['body']) =>
    call(calls.deleteChannel({ body })),
  );
  const act = (verb: 'start' | 'stop') =>
    steer
      .mutateAsync(verb)
      .then(() => notify('success', t(`channel.done.${verb}`, { name })))
      // A refusal is answered by the notice that every failed change gets.
      .catch(() => undefined);
  const ask = () =>
    confirmDelete({
      title: t('channel.deleteTitle', { name }),
      content: t('channel.deleteHint'),
      dependants: { deleting: 'subscribe/channel/delete', id: channelId },
      action: t('delete'),
      mode: 'post',
      run: async (proof) => {
        await remove.mutateAsync({ channelId, ...proof });
        notify('success', t('deleted', { name }));
      },
    });
  const kept =
    channel.tables.total > 0 ? t('channel.kept', { count: channel.tables.total }) : t('channel.leaving');
  const metrics = { key: 'metrics', label: t('metric:title'), run: () => onMeasure(channel) };
  const steering = [
    ...(['start', 'stop'] as const)
      .filter((verb) => actions.includes(verb) && may('operate'))
      .map((verb) => ({ key: verb, label: t(`channel.${verb}`), run: () => act(verb) })),
    ...(actions.includes('edit') && may('edit')
      ? [{ key: 'edit', label: t('edit'), run: () => onEdit(channel) }]
      : []),
    ...(may('delete')
      ? [
          {
            key: 'delete',
            label: t('delete'),
            danger: true,
            refused: actions.includes('delete') ? undefined : kept,
            run: ask,
          },
        ]
      : []),
  ];
  const buttons = isSteered ? [metrics] : [...steering, metrics];
  return (
    <ActionButtons
      actions={buttons}
      shown={buttons.length}
      compact
      isPending={steer.isPending}
      nameOf={({ label }) => t('actionNamed', { action: label, name })}
      moreLabel={t('actions')}
    />
  );
}
