import { useTranslation } from 'react-i18next';
import type { TopicFlowState as State } from '@/shared/api';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';
import { Tip } from '@/shared/ui/tip';

/** The worst first, as the list has them. */
export const FLOW_STATES = [
  'difference',
  'silent',
  'not-compared',
  'waiting',
  'not-counted',
  'reconciled',
] as const satisfies readonly State[];

const LOOKS: Record<State, Look> = {
  difference: 'bad',
  silent: 'warning',
  'not-compared': 'warning',
  waiting: 'busy',
  'not-counted': 'quiet',
  reconciled: 'good',
};

/** Whether everything is accounted for; what the state means under the pointer or by Tab. */
export function FlowState({ state }: { state: State }) {
  const { t } = useTranslation('statistics');
  return (
    <Tip title={t(`flow.hint.${state}`)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its hint must be in reach of the keyboard */}
      <span tabIndex={0}>
        <LookMark look={LOOKS[state]} label={t(`flow.state.${state}`)} />
      </span>
    </Tip>
  );
}
