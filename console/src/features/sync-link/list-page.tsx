import { ArrowRightOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { LinkRecord } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { duration, rate, time } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LiveMark } from '@/shared/ui/live-mark';
import { StateTag, stateLabel, useStateLabel } from '@/shared/ui/state-tag';
import { LinkActions } from '@/shared/widgets/sync/link-actions';
import { linkStates } from '@/shared/widgets/sync/link-states';
import { Place, placeText } from '@/shared/widgets/sync/place';
import { TableTally } from '@/shared/widgets/sync/table-tally';
import { ExportButton } from './export-button';
import { allLinks, useLinks } from './queries';
import '@/shared/widgets/sync/sync.css';
import './sync-link.css';

/** A narrower list begins at its first page, in the same change of the address. */
const filterDefaults = { search: '', state: '', current: 1 };

const keyOf = (link: LinkRecord) => link.id;

export default function SyncLinkPage() {
  const { t } = useTranslation('sync-link');
  const navigate = useNavigate();
  const label = useStateLabel();
  const state = useTableState();
  const [filter, setFilter] = useUrlState(filterDefaults);
  const query = useLinks(state.request, filter);
  const columns = useColumns();
  const isFiltered = filter.search !== '' || filter.state !== '';
  const narrow = (part: Partial<typeof filter>) => setFilter({ ...part, current: 1 });
  const create = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate(paths.newSyncLink())}>
      {t('list.create')}
    </Button>
  );
  return (
    <>
      <h1 className="visually-hidden">{t('list.title')}</h1>
      <DataTable
        label={t('list.title')}
        name="sync-links"
        columns={columns}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allLinks(state.request, filter)}
        empty={
          isFiltered
            ? { title: t('list.emptyFiltered') }
            : { title: t('list.empty'), hint: t('list.emptyHint'), action: create }
        }
        toolbar={
          <>
            {create}
            <ListSearch
              label={t('list.search')}
              value={filter.search}
              onSearch={(search) => narrow({ search })}
            />
            <ListChoice
              label={t('list.stateFilter')}
              value={filter.state}
              onChange={(wanted) => narrow({ state: wanted })}
              options={[
                { value: '', label: t('list.anyState') },
                ...linkStates.map((value) => ({ value, label: label(value) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}

function useColumns(): Column<LinkRecord>[] {
  const { t } = useTranslation('sync-link');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('list.name'),
        minWidth: 120,
        sortable: true,
        essential: true,
        text: ({ name }) => name,
        render: ({ id, name }) => <Link to={paths.syncLink(id)}>{name}</Link>,
      },
      {
        key: 'state',
        title: t('list.state'),
        width: 166,
        sortable: true,
        essential: true,
        text: ({ state }) => stateLabel(state),
        render: ({ state, reason, stale, asOf }) => (
          <StateTag state={state} reason={stale ? t('list.stale', { time: time(asOf) }) : reason?.text} />
        ),
      },
      {
        key: 'tables',
        title: t('list.tables'),
        width: 150,
        sortable: true,
        align: 'right',
        text: ({ tables }) => tables.total,
        render: ({ tables }) => <TableTally tables={tables} compact />,
      },
      {
        key: 'rowsPerSecond',
        title: t('list.rate'),
        width: 90,
        sortable: true,
        align: 'right',
        text: ({ rowsPerSecond, stale }) => (stale ? null : rowsPerSecond),
        render: ({ rowsPerSecond, stale }) => (stale ? '–' : rate(rowsPerSecond)),
      },
      {
        key: 'lagMs',
        title: t('list.lag'),
        width: 90,
        sortable: true,
        align: 'right',
        text: ({ lagMs, stale }) => (stale ? null : lagMs),
        render: ({ lagMs, stale }) => (stale ? '–' : duration(lagMs)),
      },
      {
        key: 'source',
        title: t('list.sourceTarget'),
        minWidth: 220,
        text: ({ source, target }) => `${placeText(source)} → ${placeText(target)}`,
        render: ({ source, target }) => (
          <>
            <Place connection={source} /> <ArrowRightOutlined aria-hidden /> <Place connection={target} />
          </>
        ),
      },
      {
        key: 'updatedAt',
        title: t('list.updated'),
        width: 160,
        sortable: true,
        leaveOut: true,
        text: ({ updatedAt }) => time(updatedAt),
        render: ({ updatedAt }) => <Moment at={updatedAt} />,
      },
      {
        key: 'actions',
        title: t('list.actions'),
        width: 150,
        fixed: 'right',
        essential: true,
        render: (link) => (
          <>
            <LinkActions link={link} compact />
            <ExportButton link={link} compact />
          </>
        ),
      },
    ],
    [t],
  );
}
