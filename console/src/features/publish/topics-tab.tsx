import { useTranslation } from 'react-i18next';
import type { TopicRecord } from '@/shared/api';
import { bytes, count } from '@/shared/lib/figures';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { PlainTable } from '@/shared/ui/plain-table';
import { useTopics } from './queries';

/** What the node, or one of its tables, keeps on the bus. */
export function TopicsTab({ nodeMaster, table }: { nodeMaster: string; table?: string }) {
  const { t } = useTranslation('publish');
  const query = useTopics(nodeMaster, table);
  if (!query.data && query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingState rows={3} />;
  if (query.data.length === 0) return <EmptyState title={t('topic.empty')} hint={t('topic.emptyHint')} />;
  return (
    <div className="card publish-topics">
      <PlainTable<TopicRecord>
        label={t('detail.topics')}
        rows={query.data}
        rowKey={({ name }) => name}
        columns={[
          { key: 'role', title: t('topic.role'), width: 130, render: (row) => <Role topic={row} /> },
          { key: 'name', title: t('topic.name'), render: ({ name }) => <code>{name}</code> },
          ...(table === undefined ? [topicsColumn(t('topic.topics'))] : []),
          {
            key: 'records',
            title: t('topic.records'),
            width: 90,
            align: 'right',
            render: ({ records }) => count(records),
          },
          {
            key: 'size',
            title: t('topic.size'),
            width: 90,
            align: 'right',
            render: ({ sizeBytes }) => bytes(sizeBytes),
          },
          {
            key: 'oldest',
            title: t('topic.oldest'),
            width: 150,
            render: ({ oldestAt }) => <Moment at={oldestAt} />,
          },
          {
            key: 'newest',
            title: t('topic.newest'),
            width: 150,
            render: ({ newestAt }) => <Moment at={newestAt} />,
          },
          {
            key: 'expires',
            title: t('topic.expires'),
            width: 150,
            render: ({ expiresAt }) => <Moment at={expiresAt} />,
          },
        ]}
      />
    </div>
  );
}

/** Of one table each topic is a line of its own. */
function topicsColumn(title: string) {
  return {
    key: 'topics',
    title,
    width: 90,
    align: 'right' as const,
    render: ({ topics }: TopicRecord) => count(topics),
  };
}

function Role({ topic: { role, generation } }: { topic: TopicRecord }) {
  const { t } = useTranslation('publish');
  return generation ? t('topic.generation', { number: generation }) : t(`topic.${role}`);
}
