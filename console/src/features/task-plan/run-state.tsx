import { useTranslation } from 'react-i18next';
import type { RunSummary } from '@/shared/api';
import { localTimes } from '@/shared/lib/local-times';
import { LookMark } from '@/shared/ui/state-tag';
import { Tip } from '@/shared/ui/tip';
import { lookOfRun } from './looks';

/** How a run is, with why in the tooltip. */
export function RunState({ run: { state, reason } }: { run: Pick<RunSummary, 'state' | 'reason'> }) {
  const { t } = useTranslation('task-plan');
  const mark = <LookMark look={lookOfRun[state]} label={t(`run.states.${state}`)} />;
  if (!reason) return mark;
  return (
    <Tip
      title={
        <>
          <div>{localTimes(reason.text)}</div>
          <div>{reason.remedy}</div>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span tabIndex={0}>{mark}</span>
    </Tip>
  );
}
