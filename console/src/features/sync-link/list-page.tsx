import { PlusOutlined, ThunderboltOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { LinkRecord } from '@/shared/api';
import { syncLinkPageList } from '@/shared/api/lists';
import { useMay } from '@/shared/hooks/use-may';
import { time } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { type Column, DataTable, MOMENT_WIDTH, useTableState } from '@/shared/ui/data-table';
import { Moment } from '@/shared/ui/figures';
import { LiveMark } from '@/shared/ui/live-mark';
import { useFlowColumns } from '@/shared/widgets/sync/flow-columns';
import { FlowFilter, useFlowFilter } from '@/shared/widgets/sync/flow-filter';
import { LinkActions } from '@/shared/widgets/sync/link-actions';
import { NewLinkButton } from '@/shared/widgets/sync/new-link-button';
import { ExportButton } from './export-button';
import { allLinks, useLinks } from './queries';
import './sync-link.css';

const keyOf = (link: LinkRecord) => link.id;

export default function SyncLinkPage() {
  const { t } = useTranslation('sync-link');
  const navigate = useNavigate();
  const state = useTableState();
  const { filter, narrow, isFiltered } = useFlowFilter('sync-links');
  const query = useLinks(state.request, filter);
  const columns = useColumns();
  const mayCreate = useMay('sync-link')('create');
  const create = <NewLinkButton label={t('list.create')} icon={<PlusOutlined />} />;
  return (
    <>
      <h1 className="visually-hidden">{t('list.title')}</h1>
      <DataTable
        label={t('list.title')}
        name="sync-links"
        columns={columns}
        list={syncLinkPageList}
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
            {mayCreate && (
              <Button icon={<ThunderboltOutlined />} onClick={() => navigate(paths.simplifySync())}>
                {t('list.simplify')}
              </Button>
            )}
            <FlowFilter search={t('list.search')} filter={filter} narrow={narrow} />
          </>
        }
        extra={<LiveMark query={query} />}
      />
    </>
  );
}

function useColumns(): Column<LinkRecord>[] {
  const { t } = useTranslation('sync-link');
  const flow = useFlowColumns();
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('list.name'),
        minWidth: 120,
        essential: true,
        text: ({ name }) => name,
        render: ({ id, name }) => <Link to={paths.syncLink(id)}>{name}</Link>,
      },
      flow.state,
      ...flow.figures,
      {
        key: 'updatedAt',
        title: t('list.updated'),
        width: MOMENT_WIDTH,
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
    [t, flow],
  );
}
