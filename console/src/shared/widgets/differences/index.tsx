import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DifferencePage, DifferencePageRequest } from '@/shared/api';
import { useLive } from '@/shared/hooks/use-live';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DataTable, useTableState } from '@/shared/ui/data-table';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { useDifferenceColumns } from './columns';
import './differences.css';

const PREFIX = 'difference-';
const kinds = ['missing', 'extra', 'different'] as const;
const filterDefaults = { search: '', kind: '', current: 1 };

type Kind = (typeof kinds)[number];

interface Props {
  /** Id of the table. */
  table: string;
  /** Cache key of the rows, in addition to the query itself. */
  queryKey: readonly string[];
  page: (body: DifferencePageRequest, signal: AbortSignal) => Promise<DifferencePage>;
  emptyHint: string;
}

/** Rows of a table that differ from their source, with both sides; what differs is marked. */
export function DifferencesTable({ table, queryKey, page, emptyHint }: Props) {
  const { t } = useTranslation('differences');
  const state = useTableState(PREFIX);
  const [filter, setFilter] = useUrlState(filterDefaults, PREFIX);
  const { current, size } = state.request;
  const kind = filter.kind === '' ? [] : [filter.kind as Kind];
  const body = { table, current, size, search: filter.search, kind };
  const query = useLive({
    queryKey: [...queryKey, 'differences', body],
    topics: ['figures', 'table', 'call'],
    queryFn: ({ signal }) => page(body, signal),
    placeholderData: keepPreviousData,
  });
  const columns = useDifferenceColumns(query.data);
  return (
    <DataTable
      label={t('title')}
      name="differences"
      columns={columns}
      query={query}
      state={state}
      rowKey={({ key }) => key.join('\n')}
      empty={{ title: t('empty'), hint: emptyHint }}
      toolbar={
        <>
          <ListSearch
            label={t('search')}
            value={filter.search}
            onSearch={(search) => setFilter({ search, current: 1 })}
          />
          <ListChoice
            label={t('kind')}
            value={filter.kind}
            onChange={(kind) => setFilter({ kind, current: 1 })}
            options={[
              { value: '', label: t('anyKind') },
              ...kinds.map((value) => ({ value: value as string, label: t(`kinds.${value}`) })),
            ]}
          />
        </>
      }
    />
  );
}
