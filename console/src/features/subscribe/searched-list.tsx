import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import {
  type Column,
  DataTable,
  type DataTableProps,
  type PageQuery,
  type TableRequest,
  useListFilter,
  useTableState,
} from '@/shared/ui/data-table';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { type ClientType, useAudience, useWords } from './audience';
import { SubscribeNav } from './frame';

// The kit's lists to choose from come behind the list.
const OwnerChoice = lazy(() => import('./owner-choice'));

const defaults = { search: '', customer: '', node: '' };
const keyOf = ({ id }: { id: string }) => id;

interface Props<Row> {
  /** What is listed, and whose words are shown. */
  of: 'customer' | 'database' | 'master';
  /** Under which the viewer's columns are remembered. */
  name: string;
  columns: readonly Column<Row>[];
  list: DataTableProps<Row>['list'];
  /** By whom the list can be narrowed besides the search. */
  narrowedBy?: readonly ('customer' | 'node')[];
  /** Every line that the filter leaves. */
  loadAll: (
    clientType: ClientType,
    request: TableRequest,
    filter: typeof defaults,
  ) => Promise<readonly Row[]>;
  /** A hook: must be the same at every render. */
  usePage: (
    request: TableRequest,
    filter: typeof defaults,
  ) => PageQuery<Row> & ComponentProps<typeof LiveMark>['query'];
  /** The button that makes one more; left out where the viewer may not. */
  create: ReactNode;
  expand?: DataTableProps<Row>['expand'];
}

/** A list of the subscribe pages: the way to the others above it, a search field, and how to make the first. */
export function SearchedList<Row extends { id: string }>({
  of,
  name,
  columns,
  list,
  narrowedBy = [],
  usePage,
  loadAll,
  create,
  expand,
}: Props<Row>) {
  const { t } = useWords();
  const { clientType } = useAudience();
  const own = clientType === 'client' ? name : `${clientType}-${name}`;
  const state = useTableState();
  const [filter, narrow] = useListFilter(own, defaults);
  const query = usePage(state.request, filter);
  const place = `${of}s` as const;
  return (
    <>
      <SubscribeNav place={place}>
        {narrowedBy.length > 0 && (
          <Suspense>
            <OwnerChoice
              customer={
                narrowedBy.includes('customer')
                  ? {
                      value: { customerId: filter.customer || undefined },
                      onChange: ({ customerId = '' }) => narrow({ customer: customerId }),
                    }
                  : undefined
              }
              node={
                narrowedBy.includes('node')
                  ? { value: filter.node || undefined, onChange: (node = '') => narrow({ node }) }
                  : undefined
              }
            />
          </Suspense>
        )}
      </SubscribeNav>
      <DataTable
        label={t(`place.${place}`)}
        name={own}
        columns={columns}
        list={list}
        query={query}
        state={state}
        rowKey={keyOf}
        expand={expand}
        loadAll={() => loadAll(clientType, state.request, filter)}
        empty={
          filter.search || filter.customer || filter.node
            ? { title: t('emptyFiltered') }
            : { title: t(`${of}.empty`), hint: t(`${of}.emptyHint`), action: create || undefined }
        }
        toolbar={
          <>
            {create}
            <ListSearch
              label={t(`${of}.search`)}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}
