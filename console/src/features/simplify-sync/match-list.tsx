import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MatchPage, MatchRecord, MatchState } from '@/shared/api';
import { simplifySyncPageMatchesList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { count } from '@/shared/lib/figures';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Count } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';
import { Tip } from '@/shared/ui/tip';
import { allMatches, useMatches, type Wanted } from './queries';

const looks: Record<MatchState, Look> = {
  existing: 'good',
  new: 'busy',
  carried: 'quiet',
  conflict: 'bad',
  refused: 'warning',
};
const states = Object.keys(looks) as MatchState[];
const defaults = { search: '', state: '' };
const spelt = ({ schema, table }: MatchRecord['source']) => `${schema}.${table}`;
const keyOf = ({ source }: MatchRecord) => JSON.stringify([source.schema, source.table]);

/** How many tables a start would take along. */
export function startable({ counts }: Pick<MatchPage, 'counts'>): number {
  return (counts.new ?? 0) + (counts.existing ?? 0);
}

interface Props {
  /** Undefined while something is still to be chosen. */
  wanted: Wanted | undefined;
  /** The rule for names. */
  rule: ReactNode;
  onStart: (matches: MatchPage) => void;
}

/** Where each chosen table goes, and the start. */
export function MatchList({ wanted, rule, onStart }: Props) {
  const { t } = useTranslation('simplify-sync');
  const state = useTableState();
  const [filter, narrow] = useListFilter('simplify-matches', defaults);
  const query = useMatches(wanted, state.request, filter);
  const columns = useColumns();
  const page = wanted && query.data;
  const mayStart = useMay('sync-link')('create');
  const ready = page ? startable(page) : 0;
  return (
    <div className="simplify-matches">
      {rule}
      <DataTable
        label={t('match.title')}
        name="simplify-matches"
        columns={columns}
        list={simplifySyncPageMatchesList}
        query={{ ...query, data: wanted ? query.data : { records: [], total: 0 } }}
        state={state}
        rowKey={keyOf}
        {...(wanted && { loadAll: () => allMatches(wanted, state.request, filter) })}
        empty={
          wanted
            ? { title: t('match.emptyFiltered') }
            : { title: t('match.empty'), hint: t('match.emptyHint') }
        }
        toolbar={
          <>
            {mayStart && (
              <RefusableButton
                type="primary"
                refused={ready === 0 ? t('match.nothingToStart') : undefined}
                onClick={() => page && onStart(page)}
              >
                {t('match.start', { count: ready })}
              </RefusableButton>
            )}
            <ListSearch
              label={t('match.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('match.stateFilter')}
              value={filter.state}
              onChange={(chosen) => narrow({ state: chosen })}
              options={[
                { value: '', label: t('match.anyState') },
                ...states.map((value) => ({
                  value,
                  label: `${t(`state.${value}`)} ${page ? count(page.counts[value]) : ''}`.trim(),
                })),
              ]}
            />
          </>
        }
      />
    </div>
  );
}

function useColumns(): Column<MatchRecord>[] {
  const { t } = useTranslation('simplify-sync');
  return useMemo(
    () => [
      {
        key: 'source',
        title: t('match.source'),
        minWidth: 150,
        essential: true,
        type: 'text',
        length: 40,
        text: ({ source }) => spelt(source),
      },
      {
        key: 'target',
        title: t('match.target'),
        minWidth: 150,
        essential: true,
        type: 'text',
        length: 40,
        text: ({ target }) => spelt(target),
      },
      {
        key: 'state',
        title: t('match.state'),
        width: 130,
        essential: true,
        text: ({ state }) => t(`state.${state}`),
        render: (row) => <MatchMark match={row} />,
      },
      {
        key: 'estimatedRows',
        title: t('match.rows'),
        width: 110,
        align: 'right',
        leaveOut: true,
        text: ({ estimatedRows }) => estimatedRows,
        render: ({ estimatedRows }) => <Count value={estimatedRows} />,
      },
    ],
    [t],
  );
}

/** What becomes of a table; the tooltip says why, or what will be done. */
function MatchMark({ match: { state, reason } }: { match: MatchRecord }) {
  const { t } = useTranslation('simplify-sync');
  return (
    <Tip title={reason || t(`stateHint.${state}`)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span tabIndex={0}>
        <LookMark look={looks[state]} label={t(`state.${state}`)} />
      </span>
    </Tip>
  );
}
