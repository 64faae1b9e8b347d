import i18n from 'i18next';
import type { HopRecord } from '@/shared/api';
import { duration } from '@/shared/lib/figures';
import { StateTip, stateLabel } from '@/shared/ui/state-tag';
import { lookOf } from '@/shared/ui/states';

interface Props {
  hop: HopRecord;
  /** Shows the last hour of the hop. */
  onOpen: () => void;
}

/** The newest heartbeat at one hop: how long it took from the hop before, and how long ago it came. */
export function HopBeat({ hop, onOpen }: Props) {
  const { state, ageMs, tookMs } = hop;
  return (
    <StateTip state={state}>
      <button type="button" className="link-beat tabular" onClick={onOpen}>
        <span className="link-beat-dot" data-look={lookOf(state)} role="img" aria-label={stateLabel(state)} />
        <span>{duration(tookMs)}</span>
        {ageMs !== null && (
          <span className="link-beat-age">{i18n.t('link-monitor:ago', { time: duration(ageMs) })}</span>
        )}
      </button>
    </StateTip>
  );
}
