import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TransferPlan } from '@/shared/api';
import { fullCount } from '@/shared/lib/figures';
import { Count } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { RefusedTables } from '@/shared/widgets/sync/refused-tables';

/** Number of moves listed one by one; the channels below give the totals. */
const MAX_SHOWN = 200;

type Move = TransferPlan['moves'][number];
type Load = TransferPlan['channels'][number];

/** Which table goes from which channel to which, and what the channels then have. */
export function MovePlan({ plan, withLoad }: { plan: TransferPlan; withLoad: boolean }) {
  const { t } = useTranslation('subscribe');
  const { moves, refused, channels } = plan;
  const standing = channels.filter(({ id, running }) => !running && moves.some((m) => m.channelId === id));
  return (
    <div className="subscribe-plan" role="status">
      {standing.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('move.standing', { names: standing.map(({ name }) => name).join(', ') })}
        />
      )}
      <p className="subscribe-plan-title">{t('move.moves', { count: moves.length })}</p>
      {moves.length > 0 && <Moves moves={moves} withLoad={withLoad} />}
      {moves.length > MAX_SHOWN && (
        <p>
          {t('move.further', {
            count: moves.length - MAX_SHOWN,
            figure: fullCount(moves.length - MAX_SHOWN),
          })}
        </p>
      )}
      {refused.length > 0 && (
        <>
          <p className="subscribe-plan-title">{t('move.refused', { count: refused.length })}</p>
          <RefusedTables rows={refused} />
        </>
      )}
      <p className="subscribe-plan-title">{t('move.channels')}</p>
      <PlainTable<Load>
        label={t('move.channels')}
        rows={channels}
        rowKey={({ id }) => id}
        columns={[
          { key: 'name', title: t('channel.name'), render: ({ name }) => name },
          { key: 'state', title: t('state'), render: ({ state }) => <StateTag state={state} /> },
          {
            key: 'tables',
            title: t('tables'),
            align: 'right',
            render: ({ tablesBefore, tablesAfter }) => <Change before={tablesBefore} after={tablesAfter} />,
          },
          ...(withLoad
            ? [
                {
                  key: 'load',
                  title: t('move.load'),
                  align: 'right' as const,
                  render: ({ loadBefore, loadAfter }: Load) => (
                    <Change before={loadBefore} after={loadAfter} />
                  ),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}

function Moves({ moves, withLoad }: { moves: readonly Move[]; withLoad: boolean }) {
  const { t } = useTranslation('subscribe');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <div className="sync-results" tabIndex={0}>
      <PlainTable<Move>
        label={t('move.moves', { count: moves.length })}
        rows={moves.slice(0, MAX_SHOWN)}
        rowKey={({ id }) => id}
        columns={[
          { key: 'table', title: t('sheet.table'), render: ({ table }) => table },
          { key: 'state', title: t('state'), render: ({ state }) => <StateTag state={state} /> },
          { key: 'from', title: t('move.from'), render: ({ fromChannelName }) => fromChannelName },
          { key: 'to', title: t('move.to'), render: ({ channelName }) => channelName },
          ...(withLoad ? [loadColumn(t('move.load'))] : []),
        ]}
      />
    </div>
  );
}

const loadColumn = (title: string) => ({
  key: 'load',
  title,
  align: 'right' as const,
  render: ({ load }: Move) => <Count value={load} />,
});

function Change({ before, after }: { before: number; after: number }) {
  return (
    <>
      <Count value={before} /> → <Count value={after} />
    </>
  );
}
