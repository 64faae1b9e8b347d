import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ManagedService, ServiceResult } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { reportFailure } from '@/shared/lib/report-failure';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { serviceTitle } from './kinds';
import { type Steering, steer, useRefreshServices } from './queries';
import { ResultsDialog } from './results-dialog';

interface Steered {
  steer: (verb: Steering, services: readonly ManagedService[]) => void;
  /** What became of each service where some were refused. */
  results: ReactNode;
}

/** Asks the same of services; what interrupts them asks before. */
export function useSteering(): Steered {
  const { t } = useTranslation('service');
  const confirm = useConfirmDanger();
  const refresh = useRefreshServices();
  const [results, setResults] = useState<readonly ServiceResult[]>();
  const perform = useCallback(
    async (verb: Steering, services: readonly ManagedService[]) => {
      const answers = await steer(
        verb,
        services.map(({ id }) => id),
      ).catch(reportFailure('status'));
      const count = answers.filter(({ done }) => done).length;
      if (count > 0) notify('success', t('asked', { count, action: t(`verb.${verb}`) }));
      if (count < answers.length) setResults(answers);
      await refresh();
    },
    [t, refresh],
  );
  const ask = useCallback(
    (verb: Steering, services: readonly ManagedService[]) => {
      if (verb === 'start') {
        perform(verb, services).catch(() => undefined);
        return;
      }
      confirm({
        title: t(`confirm.${verb}`, { count: services.length }),
        content: (
          <>
            <p>{t(`confirmHint.${verb}`)}</p>
            <p>{services.map((one) => `${one.serviceName} (${serviceTitle(one.type)})`).join(', ')}</p>
          </>
        ),
        action: t(`verb.${verb}`),
        run: () => perform(verb, services),
      });
    },
    [t, confirm, perform],
  );
  return {
    steer: ask,
    results: results && <ResultsDialog results={results} onClose={() => setResults(undefined)} />,
  };
}
