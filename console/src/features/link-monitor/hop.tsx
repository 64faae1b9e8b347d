import i18n from 'i18next';
import type { HopRecord } from '@/shared/api';
import { duration } from '@/shared/lib/figures';
import { StateTip, stateLabel } from '@/shared/ui/state-tag';
import { lookOf } from '@/shared/ui/states';

/** The newest heartbeat at one hop: how long it took from the hop before, and how long ago it came. */
export function HopBeat({ hop }: { hop: HopRecord }) {
  const { state, ageMs, tookMs } = hop;
  return (
    <StateTip state={state}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span className="link-beat tabular" tabIndex={0}>
        <span className="link-beat-dot" data-look={lookOf(state)} role="img" aria-label={stateLabel(state)} />
        <span>{duration(tookMs)}</span>
        {ageMs !== null && (
          <span className="link-beat-age">{i18n.t('link-monitor:ago', { time: duration(ageMs) })}</span>
        )}
      </span>
    </StateTip>
  );
}
