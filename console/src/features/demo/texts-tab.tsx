import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { time } from '@/shared/lib/figures';
import { toYaml } from '@/shared/lib/yaml';
import { Card } from '@/shared/ui/card';
import { CopyButton } from '@/shared/ui/copy-button';
import { EmptyState } from '@/shared/ui/empty-state';
import { LogViewer } from '@/shared/ui/log-viewer';
import { useGrammar } from '@/shared/widgets/data-source/queries';
import { FilePreview } from '@/shared/widgets/file-preview';
import { MarkdownArticle } from '@/shared/widgets/markdown';
import { SqlEditor } from '@/shared/widgets/sql-editor';
import { useFirstLinks, useLargestTables, useLinkDocument, useNewestRecords } from './queries';

function useLogLines() {
  const { data } = useNewestRecords();
  return useMemo(
    () =>
      [...(data?.records ?? [])]
        .reverse()
        .map(({ id, recordedAt, userName, action, subject, result, errorCode }) => ({
          id,
          level: result === 'done' ? ('info' as const) : ('error' as const),
          text: [time(recordedAt), userName, action, subject, errorCode ?? result].filter(Boolean).join('  '),
        })),
    [data],
  );
}

function LogCard() {
  const { t } = useTranslation('demo');
  return (
    <Card title={t('log')}>
      <LogViewer name={t('log')} lines={useLogLines()} height={240} />
    </Card>
  );
}

/** Statements over the tables of the first link; they are written here and run elsewhere. */
function SqlCard() {
  const { t } = useTranslation('demo');
  const link = useFirstLinks().data?.records[0];
  const grammar = useGrammar(link?.source.kind);
  const tables = useLargestTables(link?.taskId).data?.records;
  const names = useMemo(() => (tables ?? []).map(({ source }) => source), [tables]);
  const schema = useMemo(() => Object.fromEntries(names.map((name) => [name, []])), [names]);
  const [statement, setStatement] = useState<string>();
  const shown = statement ?? (names[0] ? `SELECT count(*) FROM ${names[0]};\n` : '');
  return (
    <Card title={t('sql')} extra={<CopyButton text={shown} label={t('copySql')} wide />}>
      <p className="demo-hint">{t('sqlHint')}</p>
      <SqlEditor
        label={t('sql')}
        value={shown}
        onChange={setStatement}
        grammar={grammar}
        schema={schema}
        height={160}
      />
    </Card>
  );
}

function FileCard() {
  const { t } = useTranslation('demo');
  const link = useFirstLinks().data?.records[0];
  const { data } = useLinkDocument(link?.id);
  const content = useMemo(
    () => (data ? new Blob([toYaml(data)], { type: 'application/yaml' }) : undefined),
    [data],
  );
  return (
    <Card title={t('file')}>
      {content && link ? (
        <FilePreview name={`${link.name}.yaml`} content={content} />
      ) : (
        <EmptyState title={t('noLinks')} />
      )}
    </Card>
  );
}

/** Components for texts: a log, statements, a file, an article. */
export function TextsTab() {
  const { t } = useTranslation('demo');
  return (
    <div className="demo-cards">
      <LogCard />
      <div className="demo-pair">
        <SqlCard />
        <FileCard />
      </div>
      <Card title={t('article')}>
        <MarkdownArticle source={t('articleSource')} contents />
      </Card>
    </div>
  );
}
