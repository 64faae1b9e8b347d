import { useTranslation } from 'react-i18next';
import type { LoadRecord } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { LookMark } from '@/shared/ui/state-tag';
import type { Look } from '@/shared/ui/states';
import { Tip } from '@/shared/ui/tip';

export const LOAD_STATES = [
  'waiting',
  'running',
  'interrupted',
  'failed',
  'finished',
  'superseded',
  'cancelled',
] as const satisfies readonly LoadRecord['state'][];

export const LOAD_CHECKS = ['checking', 'complete', 'differences'] as const satisfies readonly NonNullable<
  LoadRecord['check']
>[];

const CHECK_LOOKS: Record<NonNullable<LoadRecord['check']>, Look> = {
  checking: 'busy',
  complete: 'good',
  differences: 'bad',
};

const LOOKS: Record<LoadRecord['state'], Look> = {
  waiting: 'busy',
  running: 'good',
  interrupted: 'warning',
  failed: 'bad',
  finished: 'quiet',
  superseded: 'quiet',
  cancelled: 'quiet',
};

/** The state of a load; since when, why, and what to do about it under the pointer or by Tab. */
export function LoadState({ load }: { load: LoadRecord }) {
  const { t } = useTranslation('statistics');
  return (
    <Tip
      title={
        <>
          <p>{t('load.since', { time: time(load.stateSince) })}</p>
          {load.reason && <p>{load.reason.text}</p>}
          {load.reason?.remedy && <p>{load.reason.remedy}</p>}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its hint must be in reach of the keyboard */}
      <span tabIndex={0}>
        <LookMark look={LOOKS[load.state]} label={t(`load.state.${load.state}`)} />
      </span>
    </Tip>
  );
}

/** What verification says of the rows that a load wrote. */
export function LoadCheck({ check }: Pick<LoadRecord, 'check'>) {
  const { t } = useTranslation('statistics');
  return check ? <LookMark look={CHECK_LOOKS[check]} label={t(`load.check.${check}`)} /> : '–';
}
