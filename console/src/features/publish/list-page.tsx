import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { NodeRecord } from '@/shared/api';
import { publishPageNodesList } from '@/shared/api/lists';
import { bytes, duration } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, useListFilter, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { ListState } from '@/shared/ui/list-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { StateTag, stateLabel } from '@/shared/ui/state-tag';
import { Place, placeText } from '@/shared/widgets/sync/place';
import { CreateButton } from './create-button';
import { NodeActions } from './node-actions';
import { allNodes, useNodePage } from './queries';
import { PublishTally } from './tally';
import '@/shared/widgets/sync/sync.css';

const defaults = { search: '', state: '' };
const states = [
  'normal',
  'started',
  'starting',
  'stopping',
  'stopped',
  'restarting',
  'abnormal',
  'not-running',
  'software-expired',
] as const;
const keyOf = (node: NodeRecord) => node.id;

export default function PublishPage() {
  const { t } = useTranslation('publish');
  const state = useTableState();
  const [filter, narrow] = useListFilter('publish-nodes', defaults);
  const query = useNodePage(state.request, filter);
  const columns = useColumns();
  const isFiltered = filter.search !== '' || filter.state !== '';
  return (
    <>
      <h1 className="visually-hidden">{t('list.title')}</h1>
      <DataTable
        label={t('list.title')}
        name="publish-nodes"
        columns={columns}
        list={publishPageNodesList}
        query={query}
        state={state}
        rowKey={keyOf}
        loadAll={() => allNodes(state.request, filter)}
        empty={
          isFiltered
            ? { title: t('list.emptyFiltered') }
            : { title: t('list.empty'), hint: t('list.emptyHint'), action: <CreateButton /> }
        }
        toolbar={
          <>
            <CreateButton />
            <ListState
              words={{ search: t('list.search'), state: t('list.stateFilter'), any: t('list.anyState') }}
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

function useColumns(): Column<NodeRecord>[] {
  const { t } = useTranslation('publish');
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('list.name'),
        minWidth: 140,
        essential: true,
        text: ({ name }) => name,
        render: ({ id, name, source }) => <Link to={paths.publishNode(source.kind, id)}>{name}</Link>,
      },
      {
        key: 'state',
        title: t('list.state'),
        width: 120,
        text: ({ state }) => stateLabel(state),
        render: ({ state, reason, heldUp, stateSince }) => (
          <StateTag state={state} reason={reason} heldUp={heldUp} since={stateSince} />
        ),
      },
      {
        key: 'source',
        title: t('list.source'),
        minWidth: 220,
        text: ({ source }) => placeText(source),
        render: ({ source }) => <Place connection={source} />,
      },
      {
        key: 'containerName',
        title: t('list.container'),
        width: 120,
        leaveOut: true,
        text: ({ containerName }) => containerName,
        render: ({ containerName }) => containerName,
      },
      {
        key: 'tables',
        title: t('list.tables'),
        width: 170,
        align: 'right',
        text: ({ tables }) => String(tables.total),
        render: ({ tables }) => <PublishTally tables={tables} />,
      },
      {
        key: 'subscribers',
        title: t('list.subscribers'),
        width: 110,
        align: 'right',
        leaveOut: true,
        text: ({ subscribers }) => String(subscribers),
        render: ({ subscribers }) => subscribers,
      },
      {
        key: 'lagMs',
        title: t('list.lag'),
        width: 100,
        align: 'right',
        text: ({ lagMs }) => duration(lagMs),
        render: ({ lagMs }) => duration(lagMs),
      },
      {
        key: 'backlogBytes',
        title: t('list.backlog'),
        width: 110,
        align: 'right',
        leaveOut: true,
        text: ({ backlogBytes }) => bytes(backlogBytes),
        render: ({ backlogBytes }) => bytes(backlogBytes),
      },
      {
        key: 'createdAt',
        title: t('list.created'),
        width: 180,
        leaveOut: true,
        text: ({ createdAt }) => createdAt,
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      {
        key: 'actions',
        title: t('list.actions'),
        width: 140,
        fixed: 'right',
        essential: true,
        render: (node) => <NodeActions node={node} compact />,
      },
    ],
    [t],
  );
}
