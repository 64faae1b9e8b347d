import { Drawer } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ArticleComparison,
  type ArticleRecord,
  type ArticleVersionRecord,
  articleRestoreVersion,
  call,
} from '@/shared/api';
import { articlePageVersionsList } from '@/shared/api/lists';
import { time } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { type Column, DataTable, MOMENT_WIDTH, useOwnTableState } from '@/shared/ui/data-table';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { ListChoice } from '@/shared/ui/list-choice';
import { LoadingState } from '@/shared/ui/loading-state';
import { useDifference, useRefresh, useVersions } from './queries';

const keyOf = ({ number }: ArticleVersionRecord) => String(number);

/** The versions of an article: how each differs from the draft, and back to one. */
export default function VersionsDrawer({
  article,
  onClose,
}: {
  article: ArticleRecord;
  onClose: () => void;
}) {
  const { t } = useTranslation('help');
  const state = useOwnTableState();
  const [before, setBefore] = useState<number>();
  return (
    <Drawer title={t('versionsOf', { name: article.name })} open onClose={onClose} size="60%">
      <DataTable
        label={t('versions')}
        name="article-versions"
        columns={useColumns(article, setBefore, onClose)}
        list={articlePageVersionsList}
        query={useVersions({ ...state.request, name: article.name })}
        state={state}
        rowKey={keyOf}
        empty={{ title: t('noVersions'), hint: t('noVersionsHint') }}
        toolbar={
          article.origin === 'edited' && (
            <ListChoice
              label={t('compare')}
              value={before === 0 ? 'shipped' : ''}
              onChange={(value) => setBefore(value === 'shipped' ? 0 : undefined)}
              options={[
                { value: '' as const, label: t('noComparison') },
                { value: 'shipped' as const, label: t('compareShipped') },
              ]}
            />
          )
        }
      />
      {before !== undefined && <Difference name={article.name} before={before} />}
    </Drawer>
  );
}

function useColumns(
  article: ArticleRecord,
  onCompare: (number: number) => void,
  onRestored: () => void,
): Column<ArticleVersionRecord>[] {
  const { t } = useTranslation('help');
  const refresh = useRefresh();
  return useMemo(
    () => [
      {
        key: 'number',
        title: t('version'),
        width: 80,
        essential: true,
        text: ({ number }) => number,
        render: ({ number }) => number,
      },
      { key: 'note', type: 'text', title: t('note'), minWidth: 140, text: ({ note }) => note },
      { key: 'createdBy', type: 'text', title: t('author'), width: 120, text: ({ createdBy }) => createdBy },
      {
        key: 'createdAt',
        title: t('publishedAt'),
        width: MOMENT_WIDTH,
        text: ({ createdAt }) => time(createdAt),
        render: ({ createdAt }) => <Moment at={createdAt} />,
      },
      {
        key: 'actions',
        type: 'options',
        title: t('actions'),
        width: 200,
        fixed: 'right',
        essential: true,
        shown: 2,
        actions: ({ number }) => [
          { key: 'compare', label: t('compareDraft'), run: () => onCompare(number) },
          {
            key: 'restore',
            label: t('restore'),
            run: async () => {
              const { name, revision } = article;
              await call(articleRestoreVersion({ body: { name, revision, number } })).catch(
                reportFailure('submit'),
              );
              notify('success', t('restored', { number }));
              await refresh();
              onRestored();
            },
          },
        ],
      },
    ],
    [t, article, onCompare, onRestored, refresh],
  );
}

/** What the draft has and a version, or the shipped page, has not, line by line, in both languages. */
function Difference({ name, before }: { name: string; before: number }) {
  const { t } = useTranslation('help');
  return (['zh', 'en'] as const).map((language) => (
    <section key={language} aria-label={t(`languages.${language}`)}>
      <h2>{t(`languages.${language}`)}</h2>
      <Lines asked={{ name, before, language }} />
    </section>
  ));
}

const SIGNS = { added: '+', removed: '−', same: ' ', skipped: '…' } as const;

function Lines({ asked }: { asked: ArticleComparison }) {
  const { t } = useTranslation('help');
  const found = useDifference(asked);
  if (found.error) return <ErrorState error={found.error} onRetry={found.refetch} />;
  if (!found.data) return <LoadingState rows={4} />;
  if (found.data.length === 0) return <p>{t('noDifference')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard
    <pre className="help-difference" tabIndex={0}>
      {found.data.map(({ kind, text, skipped }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference have no other name and never move
        <span key={place} data-kind={kind}>
          {SIGNS[kind]} {kind === 'skipped' ? t('skippedLines', { count: skipped }) : text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
