import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { alertRuleDelete, alertRuleMute, audited, call, type RuleRecord } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { confirmDelete } from '@/shared/widgets/delete-confirm';
import { useRefresh } from './queries';

/** What is done with a rule at once; each says what became of it. */
export function useRuleActions() {
  const { t } = useTranslation('alert-rule');
  const refresh = useRefresh();
  return useMemo(
    () => ({
      unmute: (rule: RuleRecord) =>
        call(alertRuleMute({ body: { id: rule.id }, ...audited(rule) }))
          .then(() => notify('success', t('unmuted', { name: rule.name })), reportFailure('status'))
          .then(refresh, () => undefined),
      remove: (rule: RuleRecord) =>
        confirmDelete({
          title: t('deleteTitle', { name: rule.name }),
          content: t('deleteHint', { shown: count(rule.firing + rule.missingFiring) }),
          action: t('delete'),
          dependants: null,
          mode: 'post',
          run: async (proof) => {
            await call(alertRuleDelete({ body: { id: rule.id, ...proof }, ...audited(rule) })).catch(
              reportFailure('delete'),
            );
            notify('success', t('deleted', { name: rule.name }));
            await refresh();
          },
        }),
    }),
    [t, refresh],
  );
}
