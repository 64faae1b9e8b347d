import { useTranslation } from 'react-i18next';
import type { VersionRecord } from '@/shared/api';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { useVersions } from './queries';

/** Which structures a published table had, the newest first, each from which place in the source's log on. */
export function Versions({ nodeMaster, table }: { nodeMaster: string; table: string }) {
  const { t } = useTranslation('publish');
  const query = useVersions(nodeMaster, table);
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingState rows={2} />;
  if (query.data.length === 0) return <EmptyState title={t('version.empty')} hint={t('version.emptyHint')} />;
  return (
    <PlainTable<VersionRecord>
      label={t('version.title')}
      rows={query.data}
      rowKey={({ number }) => String(number)}
      columns={[
        { key: 'number', title: t('version.number'), width: 70, render: ({ number }) => number },
        { key: 'since', title: t('version.since'), width: 170, render: ({ since }) => <Moment at={since} /> },
        {
          key: 'position',
          title: t('version.position'),
          width: 180,
          render: ({ position }) => <code>{position || '–'}</code>,
        },
        { key: 'changes', title: t('version.changes'), render: (version) => <Changes version={version} /> },
      ]}
    />
  );
}

/** What became of the structure before, and on demand what it was then. */
function Changes({ version: { changes, columns } }: { version: VersionRecord }) {
  const { t } = useTranslation('publish');
  return (
    <details className="publish-version">
      <summary>
        {changes.length === 0
          ? t('version.first')
          : changes.map((change) => <code key={change}>{change}</code>)}
      </summary>
      <ul aria-label={t('table.columns')}>
        {columns.map(({ name, type, nullable, key }) => (
          <li key={name}>
            <code>
              {name} {type}
              {!nullable && ' NOT NULL'}
            </code>
            {key && ` · ${t('add.key')}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
