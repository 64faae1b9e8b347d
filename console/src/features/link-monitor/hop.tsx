import i18n from 'i18next';
import type { HopRecord } from '@/shared/api';
import { duration, time } from '@/shared/lib/figures';
import { stateLabel } from '@/shared/ui/state-tag';
import { lookOf } from '@/shared/ui/states';

/** The newest heartbeat at one hop: how long it took from the hop before, and how long ago it came. */
export function HopBeat({ hop }: { hop: HopRecord }) {
  const { state, at, ageMs, tookMs } = hop;
  const hint = [stateLabel(state), at && i18n.t('state.since', { time: time(at) })]
    .filter(Boolean)
    .join(' · ');
  return (
    <span className="link-beat tabular" title={hint}>
      <span className="link-beat-dot" data-look={lookOf(state)} role="img" aria-label={stateLabel(state)} />
      <span>{duration(tookMs)}</span>
      {ageMs !== null && (
        <span className="link-beat-age">{i18n.t('link-monitor:ago', { time: duration(ageMs) })}</span>
      )}
    </span>
  );
}
