import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { MatchPage, StartRecord, TreeRecord } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { paths } from '@/shared/pages/paths';
import { useUnsaved } from '@/shared/pages/unsaved';
import { NewLinkButton } from '@/shared/widgets/sync/new-link-button';
import { type Choice, nothing, toggle } from './choice';
import { DatabaseTree } from './database-tree';
import { MatchList, startable } from './match-list';
import { matchingBy, NameRule, type Rule, sameNames } from './name-rule';
import type { Wanted } from './queries';
import './simplify-sync.css';

const StartDrawer = lazy(() => import('./start-drawer'));
const ResultsDialog = lazy(() => import('@/shared/widgets/sync/results-dialog'));

/** A source's tree on the left, a target's on the right, what goes where between them, and one start. */
export default function SimplifySyncPage() {
  const { t } = useTranslation('simplify-sync');
  const navigate = useNavigate();
  const [source, setSource] = useState<TreeRecord>();
  const [target, setTarget] = useState<TreeRecord>();
  const [choice, setChoice] = useState<Choice>(nothing);
  const [schema, setSchema] = useState<string>();
  const [rule, setRule] = useState<Rule>(sameNames);
  const [starting, setStarting] = useState<MatchPage>();
  const [record, setRecord] = useState<StartRecord>();
  useUnsaved(() => choice.chosen.size > 0, { kept: true });
  const wanted = useWanted(choice, schema, useDeferredValue(rule));

  const finish = (done: StartRecord) => {
    const count = done.results.filter((one) => one.done).length;
    if (done.taskId) notify('success', t('start.started', { count }));
    if (count < done.results.length) setRecord(done);
    else if (done.taskId) navigate(paths.syncTask(done.taskId));
    setChoice(nothing);
  };
  const leaveResults = () => {
    const taskId = record?.taskId;
    setRecord(undefined);
    if (taskId) navigate(paths.syncTask(taskId));
  };

  return (
    <div className="simplify">
      <h1 className="visually-hidden">{t('title')}</h1>
      <DatabaseTree
        side="source"
        database={source}
        onDatabase={(database) => {
          setSource(database);
          setChoice(nothing);
        }}
        choice={choice}
        onToggle={(id) => setChoice((known) => toggle(known, id))}
        action={<NewLinkButton label={t('tree.toWizard')} />}
      />
      <MatchList wanted={wanted} rule={<NameRule rule={rule} onChange={setRule} />} onStart={setStarting} />
      <DatabaseTree
        side="target"
        database={target}
        onDatabase={(database) => {
          setTarget(database);
          setSchema(undefined);
        }}
        selected={schema}
        onSelect={setSchema}
        action={<NewLinkButton label={t('tree.toWizard')} />}
      />
      <Suspense>
        {starting && wanted && (
          <StartDrawer
            wanted={wanted}
            tables={startable(starting)}
            existing={starting.counts.existing ?? 0}
            suggestedName={`${source?.name}-${target?.name}`}
            onStarted={finish}
            onClose={() => setStarting(undefined)}
          />
        )}
        {record && (
          <ResultsDialog
            results={record.results.map((one) => ({ ...one, id: one.id ?? null }))}
            onClose={leaveResults}
          />
        )}
      </Suspense>
    </div>
  );
}

/** What is asked of the server; undefined while a side is not chosen. */
function useWanted(choice: Choice, schema: string | undefined, rule: Rule): Wanted | undefined {
  return useMemo(() => {
    if (choice.chosen.size === 0 || !schema) return undefined;
    return { source: [...choice.chosen], leaveOut: [...choice.leftOut], target: schema, ...matchingBy(rule) };
  }, [choice, schema, rule]);
}
