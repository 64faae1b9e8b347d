import { useTranslation } from 'react-i18next';
import type { RuleRecord } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';

type Finding = 'off' | 'unknown' | 'firing' | 'missing' | 'pending' | 'empty' | 'fine';

const looks: Record<Finding, Look> = {
  off: 'quiet',
  unknown: 'warning',
  firing: 'bad',
  missing: 'warning',
  pending: 'busy',
  empty: 'quiet',
  fine: 'good',
};

/** What a rule finds now: what is worst comes first, and what is not known is not fine. */
export function findingOf(rule: RuleRecord): Finding {
  if (!rule.enabled) return 'off';
  if (rule.firing + rule.missingFiring > 0) return 'firing';
  if (rule.subjects === null || rule.stale) return 'unknown';
  if (rule.missing > 0) return 'missing';
  if (rule.pending > 0) return 'pending';
  return rule.subjects === 0 ? 'empty' : 'fine';
}

export function useFindingText(): (rule: RuleRecord) => string {
  const { t } = useTranslation('alert-rule');
  return (rule) => {
    const numbers = {
      firing: rule.firing + rule.missingFiring,
      missing: rule.missing,
      pending: rule.pending,
    };
    const finding = findingOf(rule);
    const shown = finding in numbers ? count(numbers[finding as keyof typeof numbers]) : '';
    return t(`findings.${finding}`, { shown });
  };
}

export function RuleFinding({ rule }: { rule: RuleRecord }) {
  return <LookMark look={looks[findingOf(rule)]} label={useFindingText()(rule)} />;
}
