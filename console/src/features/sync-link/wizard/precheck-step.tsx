import { CloseCircleFilled, InfoCircleFilled, WarningFilled } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Alert, Button, Spin } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingRecord, PrecheckRecord } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { Remedy } from '@/shared/ui/remedy';
import { precheckLink } from '../queries';
import { documentOf } from './document';
import { checkedPart, isDone, pickedTables } from './draft';
import { useDraft } from './draft-store';
import { StepFrame } from './step-frame';
import { useWizard } from './wizard-context';

const icons = {
  error: <CloseCircleFilled />,
  warning: <WarningFilled />,
  info: <InfoCircleFilled />,
} as const;

/** Everything that can be known to fail beforehand. Errors block the start, warnings don't. */
export function PrecheckStep() {
  const { t } = useTranslation('sync-link');
  const { next } = useWizard();
  const { draft, change } = useDraft();
  const check = useMutation({
    mutationFn: () =>
      precheckLink(documentOf(draft), t('precheck.running', { count: pickedTables(draft).length })),
    onSuccess: ({ ok, findings }) => change({ findings, checked: ok ? checkedPart(draft) : undefined }),
    meta: { quiet: true },
  });
  const { mutate } = check;
  useEffect(() => mutate(), [mutate]);
  const errors = check.data?.findings.filter(({ level }) => level === 'error').length ?? 0;

  return (
    <StepFrame
      title={t('precheck.title')}
      hint={t('precheck.hint')}
      onNext={next}
      blocked={
        isDone(draft, 'precheck') || check.isPending
          ? undefined
          : errors > 0
            ? t('precheck.errors', { count: errors })
            : t('precheck.needed')
      }
      isBusy={check.isPending}
      actions={
        <Button onClick={() => mutate()} disabled={check.isPending}>
          {t('precheck.again')}
        </Button>
      }
    >
      {check.isPending && (
        <div role="status" className="wizard-checking">
          <Spin /> {t('precheck.running', { count: pickedTables(draft).length })}
        </div>
      )}
      {check.error && !check.isPending && <ErrorState error={check.error} onRetry={() => mutate()} />}
      {check.data && !check.isPending && <Outcome result={check.data} />}
    </StepFrame>
  );
}

const weight = { error: 0, warning: 1, info: 2 } as const;

function Outcome({ result }: { result: PrecheckRecord }) {
  const { t } = useTranslation('sync-link');
  const findings = [...result.findings].sort((a, b) => weight[a.level] - weight[b.level]);
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  return (
    <>
      <Alert
        showIcon
        role="status"
        type={errors ? 'error' : warnings ? 'warning' : 'success'}
        title={
          errors
            ? t('precheck.errors', { count: errors })
            : warnings
              ? t('precheck.warnings', { count: warnings })
              : t('precheck.passed')
        }
        description={errors || warnings ? undefined : t('precheck.passedHint')}
      />
      <ul className="wizard-findings">
        {findings.map((finding) => (
          <Finding key={`${finding.code} ${finding.table} ${finding.column}`} finding={finding} />
        ))}
      </ul>
    </>
  );
}

function Finding({ finding }: { finding: FindingRecord }) {
  const { t } = useTranslation('sync-link');
  const place = [finding.table, finding.column].filter(Boolean).join(' · ');
  return (
    <li className="wizard-finding" data-level={finding.level}>
      <span className="wizard-finding-level">
        <span aria-hidden>{icons[finding.level]}</span> {t(`precheck.level.${finding.level}`)}
      </span>
      <div>
        {place && <strong>{place}</strong>}
        <div>{finding.text}</div>
        <Remedy text={finding.remedy} advice={finding.advice} />
      </div>
    </li>
  );
}
