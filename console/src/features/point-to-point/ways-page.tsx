import { PlusOutlined } from '@ant-design/icons';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { WayRecord } from '@/shared/api';
import { pointToPointPageList } from '@/shared/api/lists';
import { count, duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { ListState } from '@/shared/ui/list-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { NewLinkButton } from '@/shared/widgets/sync/new-link-button';
import { Route, routeText } from '@/shared/widgets/sync/place';
import { allWays, useWays } from './queries';
import { ViewNav } from './views';
import '@/shared/widgets/sync/sync.css';

const defaults = { search: '', state: '' };
const states = ['beating', 'standing', 'unmeasured', 'stopped'] as const;
const keyOf = ({ id }: WayRecord) => id;

/** Every way from a source straight to a target. */
export default function WaysPage() {
  const { t } = useTranslation('point-to-point');
  const state = useTableState();
  const [filter, narrow] = useListFilter('ways', defaults);
  const query = useWays(state.request, filter);
  const columns = useColumns();
  const create = <NewLinkButton label={t('create')} icon={<PlusOutlined />} />;
  const isFiltered = filter.search !== '' || filter.state !== '';
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <ViewNav view="list" />
      <DataTable
        label={t('title')}
        name="ways"
        columns={columns}
        list={pointToPointPageList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allWays(state.request, filter)}
        empty={
          isFiltered
            ? { title: t('emptyFiltered') }
            : { title: t('empty'), hint: t('emptyHint'), action: create }
        }
        toolbar={
          <>
            {create}
            <ListState
              words={{ search: t('search'), state: t('stateFilter'), any: t('anyState') }}
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

function useColumns(): Column<WayRecord>[] {
  const { t } = useTranslation('point-to-point');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('name'),
        minWidth: 120,
        essential: true,
        text: ({ name }) => name,
        render: ({ linkId, name }) => <Link to={paths.syncLink(linkId)}>{name}</Link>,
      },
      {
        key: 'places',
        of: [],
        title: t('places'),
        minWidth: 280,
        essential: true,
        text: routeText,
        render: (ends) => <Route {...ends} />,
      },
      {
        key: 'state',
        title: t('state'),
        width: 140,
        text: ({ state }) => stateLabel(state),
        render: ({ state }) => <StateTag state={state} />,
      },
      {
        key: 'tables',
        title: t('tables'),
        width: 110,
        align: 'right',
        text: ({ tables }) => tables,
        render: ({ tables, failed, taskId }) => (
          <Link to={paths.syncTask(taskId)} className="tabular">
            {failed > 0 ? t('tablesFailed', { tables: count(tables), failed: count(failed) }) : count(tables)}
          </Link>
        ),
      },
      {
        key: 'rowsPerSecond',
        title: t('rate'),
        width: 90,
        align: 'right',
        text: ({ rowsPerSecond }) => rowsPerSecond,
        render: ({ rowsPerSecond }) => rate(rowsPerSecond),
      },
      {
        key: 'lagMs',
        title: t('lag'),
        width: 90,
        align: 'right',
        text: ({ lagMs }) => lagMs,
        render: ({ lagMs }) => duration(lagMs),
      },
      {
        key: 'tookMs',
        title: t('took'),
        width: 110,
        align: 'right',
        leaveOut: true,
        text: ({ tookMs }) => tookMs,
        render: ({ tookMs }) => duration(tookMs),
      },
    ],
    [t],
  );
}
