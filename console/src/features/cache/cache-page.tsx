import { useTranslation } from 'react-i18next';
import type { CacheRecord } from '@/shared/api';
import { cachePageList } from '@/shared/api/lists';
import { time } from '@/shared/lib/figures';
import { DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { useCacheColumns } from './cache-columns';
import { allCaches, useCaches } from './queries';

const NAME = 'cache';
const defaults = { search: '' };
const keyOf = ({ name }: CacheRecord) => name;

/** What the control plane that answers keeps to be faster, or for a moment. */
export default function CachePage() {
  const { t } = useTranslation('cache');
  const state = useTableState();
  const [filter, narrow] = useListFilter(NAME, defaults);
  const asked = { ...state.request, search: filter.search };
  const query = useCaches(asked);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      {query.data && <p>{t('instance', { instance: query.data.instance, since: time(query.data.since) })}</p>}
      <DataTable
        label={t('title')}
        name={NAME}
        columns={useCacheColumns()}
        list={cachePageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allCaches(asked)}
        empty={{ title: t('emptyFiltered') }}
        toolbar={
          <ListSearch label={t('search')} value={filter.search} onSearch={(search) => narrow({ search })} />
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}
