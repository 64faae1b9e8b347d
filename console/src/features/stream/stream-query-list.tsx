import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StreamQueryRecord } from '@/shared/api';
import { streamPageComputationsList } from '@/shared/api/lists';
import { customerPaths } from '@/shared/pages/paths';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListState } from '@/shared/ui/list-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { PageNav } from '@/shared/ui/page-nav';
import { allStreamQueries, useStreamQueries } from './queries';

const defaults = { search: '', state: '' };
const states = [
  'uninitialized',
  'full-allowed',
  'full-running',
  'incremental-allowed',
  'incremental-running',
  'suspended',
  'error',
  'full-error',
  'incremental-error',
  'full-info-expired',
] as const;
const places = ['masters', 'customers', 'databases', 'sheet'] as const;
const keyOf = ({ id }: StreamQueryRecord) => id;

interface Props {
  place: 'masters' | 'sheet';
  /** Under which the viewer's columns are remembered. */
  name: string;
  columns: readonly Column<StreamQueryRecord>[];
  /** The button that makes one more, where there is one. */
  create?: ReactNode;
}

/** Stream queries: the ways to the other pages of real-time computing, what narrows the list, and the list. */
export function StreamQueryList({ place, name, columns, create }: Props) {
  const { t } = useTranslation('stream');
  const state = useTableState();
  const [filter, narrow] = useListFilter(name, defaults);
  const query = useStreamQueries(state.request, filter);
  const paths = customerPaths.stream;
  return (
    <>
      <h1 className="visually-hidden">{t(`place.${place}`)}</h1>
      <PageNav
        label={t('place.all')}
        pages={places.map((key) => ({ path: paths[key](), label: t(`place.${key}`) }))}
        current={paths[place]()}
      />
      <DataTable
        label={t(`place.${place}`)}
        name={name}
        columns={columns}
        list={streamPageComputationsList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allStreamQueries(state.request, filter)}
        empty={
          filter.search || filter.state
            ? { title: t('emptyFiltered') }
            : { title: t('empty'), hint: t('emptyHint'), action: create || undefined }
        }
        toolbar={
          <>
            {create}
            <ListState
              words={{ search: t('search'), state: t('state'), any: t('anyState') }}
              states={states}
              filter={filter}
              narrow={narrow}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}
