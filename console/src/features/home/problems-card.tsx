import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Overview, ProblemRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { localTimes } from '@/shared/lib/local-times';
import { paths } from '@/shared/pages/paths';
import { Card } from '@/shared/ui/card';
import { Moment } from '@/shared/ui/figures';
import { PlainTable } from '@/shared/ui/plain-table';
import { StateTag } from '@/shared/ui/state-tag';
import { LogAroundLink } from '@/shared/widgets/logs/around-link';
import { MendButton } from './mend-button';

/** A failed table is mended on its task's page, a service on its link's, refused rows on the tab that lists them. */
function target({ kind, linkId, taskId }: ProblemRecord): string | undefined {
  if (kind === 'row-errors' && linkId) return paths.syncLinkErrors(linkId);
  if ((kind === 'table' || kind === 'differences') && taskId) return paths.syncTask(taskId);
  return linkId ? paths.syncLink(linkId) : undefined;
}

function Where({ problem }: { problem: ProblemRecord }) {
  const { t } = useTranslation('home');
  const path = target(problem);
  const mayOpen = useMay('sync-link')('view');
  return (
    <>
      <div>{t(`problems.kinds.${problem.kind}`, { subject: problem.subject })}</div>
      {path && mayOpen ? <Link to={path}>{problem.linkName}</Link> : problem.linkName}
    </>
  );
}

/** What is said of a problem that gives no reason of its own. */
function withoutReason(t: TFunction<'home'>, { kind, rowErrors = 0, differences = 0 }: ProblemRecord) {
  if (kind === 'agent') return { what: t('problems.silent'), remedy: t('problems.silentRemedy') };
  if (kind === 'row-errors')
    return { what: t('problems.rowErrors', { count: rowErrors }), remedy: t('problems.rowErrorsRemedy') };
  if (kind === 'differences')
    return {
      what: t('problems.differences', { count: differences }),
      remedy: t('problems.differencesRemedy'),
    };
  return { what: '', remedy: '' };
}

/** The way to what the logs say around the beginning of a problem, of the stopped service where that is known. */
function ProblemLog({ problem: { since, linkId, serviceId, subject } }: { problem: ProblemRecord }) {
  const { t } = useTranslation('home');
  if (since === null) return null;
  return (
    <LogAroundLink
      at={since}
      {...(serviceId ? { source: serviceId } : { link: linkId ?? '' })}
      name={t('problems.logNamed', { subject })}
    >
      {t('problems.log')}
    </LogAroundLink>
  );
}

function useColumns() {
  const { t } = useTranslation('home');
  return useMemo(
    () => [
      {
        key: 'since',
        title: t('problems.since'),
        width: 180,
        render: (problem: ProblemRecord) => <Moment at={problem.since} />,
      },
      {
        key: 'where',
        title: t('problems.where'),
        // Names are not broken at their hyphens.
        width: 170,
        render: (problem: ProblemRecord) => <Where problem={problem} />,
      },
      {
        key: 'state',
        title: t('problems.state'),
        width: 140,
        render: (problem: ProblemRecord) => (
          <StateTag
            state={problem.state}
            since={problem.since}
            heldUp={problem.heldUp}
            reason={problem.kind === 'warning' ? null : problem.reason}
            warnings={problem.kind === 'warning' ? 1 : 0}
            rowErrors={problem.rowErrors ?? 0}
            differences={problem.differences ?? 0}
          />
        ),
      },
      {
        key: 'what',
        title: t('problems.what'),
        render: (problem: ProblemRecord) => (
          <>
            <div>{localTimes(problem.reason?.text ?? withoutReason(t, problem).what)}</div>
            <ProblemLog problem={problem} />
          </>
        ),
      },
      {
        key: 'remedy',
        title: t('problems.remedy'),
        render: (problem: ProblemRecord) => (
          <>
            <div>{problem.reason?.remedy ?? withoutReason(t, problem).remedy}</div>
            <MendButton problem={problem} path={target(problem)} />
          </>
        ),
      },
    ],
    [t],
  );
}

const keyOf = (problem: ProblemRecord) => [problem.kind, problem.subject, problem.linkId].join();

/** What needs a look, the newest first; the rest is behind the lists. */
export function ProblemsCard({ overview: { problems, problemsTotal } }: { overview: Overview }) {
  const { t } = useTranslation('home');
  const columns = useColumns();
  const hidden = problemsTotal - problems.length;
  return (
    <Card title={t('problems.title')}>
      {problems.length > 0 ? (
        <PlainTable label={t('problems.title')} columns={columns} rows={problems} rowKey={keyOf} />
      ) : (
        <p className="home-quiet">{t('problems.none')}</p>
      )}
      {hidden > 0 && <p className="home-quiet">{t('problems.more', { count: hidden })}</p>}
    </Card>
  );
}
