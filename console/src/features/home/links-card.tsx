import { PlusOutlined } from '@ant-design/icons';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LinkHistory, LinkRecord } from '@/shared/api';
import { duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { Sparkline } from '@/shared/widgets/area-chart/sparkline';
import { FailedTablesLink, RowErrorsLink, WarningsLink } from '@/shared/widgets/sync/faults';
import { NewLinkButton } from '@/shared/widgets/sync/new-link-button';
import { PaceMark } from '@/shared/widgets/sync/pace-mark';
import { Place } from '@/shared/widgets/sync/place';
import { TableTally } from '@/shared/widgets/sync/table-tally';
import { useFirstLinks, useHistory } from './queries';

/** The rate of now, behind a picture of the last hour. */
function Rate({ link, history }: { link: LinkRecord; history?: LinkHistory }) {
  const { t } = useTranslation('home');
  const values = history?.rowsPerSecond ?? [];
  const most = values.reduce<number>((found, value) => Math.max(found, value ?? 0), 0);
  return (
    <>
      {most > 0 && <Sparkline values={values} label={t('links.lastHour', { value: rate(most) })} />}
      {rate(link.rowsPerSecond)}
    </>
  );
}

function useColumns() {
  const { t } = useTranslation('home');
  const { data } = useHistory();
  return useMemo(
    () => [
      {
        key: 'name',
        title: t('links.name'),
        width: 160,
        render: (link: LinkRecord) => <Link to={paths.syncLink(link.id)}>{link.name}</Link>,
      },
      {
        key: 'source',
        title: t('links.source'),
        render: (link: LinkRecord) => <Place connection={link.source} />,
      },
      {
        key: 'target',
        title: t('links.target'),
        render: (link: LinkRecord) => <Place connection={link.target} />,
      },
      {
        key: 'state',
        title: t('links.state'),
        width: 150,
        render: (link: LinkRecord) => (
          <>
            <StateTag
              state={link.state}
              reason={link.reason}
              heldUp={link.heldUp}
              rowErrors={link.tables.rowErrors}
              differingTables={link.tables.differing}
              failedTables={link.tables.error}
              warnings={link.warnings.length}
            />
            <PaceMark pace={link.pace} />
            <FailedTablesLink linkId={link.id} link={link} />
            <RowErrorsLink linkId={link.id} count={link.tables.rowErrors} />
            <WarningsLink linkId={link.id} warnings={link.warnings} />
          </>
        ),
      },
      {
        key: 'tables',
        title: t('links.tables'),
        align: 'right' as const,
        width: 110,
        render: (link: LinkRecord) => <TableTally tables={link.tables} />,
      },
      {
        key: 'rate',
        title: t('links.rate'),
        align: 'right' as const,
        width: 150,
        render: (link: LinkRecord) => (
          <Rate link={link} history={data?.links.find(({ linkId }) => linkId === link.id)} />
        ),
      },
      {
        key: 'lag',
        title: t('links.lag'),
        align: 'right' as const,
        width: 110,
        render: (link: LinkRecord) => duration(link.lagMs),
      },
    ],
    [t, data],
  );
}

const keyOf = (link: LinkRecord) => link.id;

/** The first links of the list; without any, the way to the first one. */
export function LinksCard() {
  const { t } = useTranslation('home');
  const columns = useColumns();
  const { data, error, refetch } = useFirstLinks();
  return (
    <Card title={t('links.title')} extra={<Link to={paths.syncLinks()}>{t('links.all')}</Link>}>
      {!data && !error && <LoadingState rows={3} />}
      {!data && error && <ErrorState error={error} onRetry={refetch} />}
      {data && data.total > 0 && (
        <PlainTable label={t('links.title')} columns={columns} rows={data.records} rowKey={keyOf} />
      )}
      {data && data.total === 0 && (
        <EmptyState
          title={t('links.empty')}
          hint={t('links.emptyHint')}
          action={<NewLinkButton label={t('links.create')} icon={<PlusOutlined />} />}
        />
      )}
    </Card>
  );
}
