import i18n from 'i18next';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { time } from '@/shared/lib/figures';
import { localTimes } from '@/shared/lib/local-times';
import { isKnownState, type StateName } from './states';

export interface StateFacts {
  state: string;
  /** Reason of the state; `remedy`: what to do next, if more specific than the state's own hint. */
  reason?: { text: string; remedy?: string | null } | null | undefined;
  /** It is to work, but `reason` prevents it: as the server says. */
  heldUp?: boolean | undefined;
  /** How many rows the target refused that are still open: what works with them is not shown as healthy. */
  rowErrors?: number;
  /** How many rows are proved to differ from their source. */
  differences?: number;
  /** How many tables beneath have such rows. */
  differingTables?: number;
  /** How many tables beneath have failed while others work. */
  failedTables?: number;
  /** How many warnings there are next to the state, which says nothing of them. */
  warnings?: number;
  /** ISO 8601. */
  since?: string | null | undefined;
}

/** Since when something is in a state, why, what that means, and what to do next. */
export function StateHint(facts: StateFacts) {
  const {
    state,
    reason,
    since,
    rowErrors = 0,
    differences = 0,
    differingTables = 0,
    failedTables = 0,
  } = facts;
  return (
    <div className="state-hint">
      {since && <p>{i18n.t('state.since', { time: time(since) })}</p>}
      {failedTables > 0 && <p>{i18n.t('state.failedTables', { count: failedTables })}</p>}
      {rowErrors > 0 && <p>{i18n.t('state.rowErrors', { count: rowErrors })}</p>}
      {differences > 0 && <p>{i18n.t('state.differences', { count: differences })}</p>}
      {differingTables > 0 && <p>{i18n.t('state.differingTables', { count: differingTables })}</p>}
      {reason?.text && <p>{localTimes(reason.text)}</p>}
      {isKnownState(state) ? (
        <Suspense>
          <Meaning state={state} remedy={reason?.remedy} />
        </Suspense>
      ) : (
        reason?.remedy && <p>{reason.remedy}</p>
      )}
    </div>
  );
}

function Meaning({ state, remedy }: { state: StateName; remedy: string | null | undefined }) {
  const { t } = useTranslation('state');
  return (
    <>
      <p>{t(`${state}.what`)}</p>
      <p>{i18n.t('state.next', { step: remedy || t(`${state}.next`) })}</p>
    </>
  );
}
