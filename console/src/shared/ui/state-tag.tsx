import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  MinusCircleOutlined,
  PauseCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import i18n from 'i18next';
import type { HTMLAttributes, ReactElement, ReactNode } from 'react';
import { word } from '@/shared/i18n/word';
import { usePageTag } from '../pages/page-context';
import { type StateFacts, StateHint } from './state-hint';
import { isKnownState, isMarred, type Look, lookOf, shownState } from './states';
import { Tip } from './tip';

const icons: Record<Look, ReactNode> = {
  good: <CheckCircleOutlined />,
  busy: <ClockCircleOutlined />,
  quiet: <MinusCircleOutlined />,
  warning: <PauseCircleOutlined />,
  bad: <CloseCircleOutlined />,
};

/** The word for a state in the viewer's language. */
export function stateLabel(state: string): string {
  return isKnownState(state) ? word(`state.${state}`) : i18n.t('state.unknown', { state });
}

/** The same for components that take it as a hook. */
export function useStateLabel(): (state: string) => string {
  return stateLabel;
}

/** A mark in the looks of a state, for what is no state of chapter 4. */
export function LookMark({ look, label }: { look: Look; label: ReactNode }) {
  return (
    <span className="state-tag" data-look={look}>
      {icons[look]}
      {label}
    </span>
  );
}

/** A state as word, icon and colour, the same on every page. Where something around it is focused, that has the tip. */
export function StateMark({ state, faults = 0 }: { state: string; faults?: number }) {
  const look = isMarred(state, faults) ? 'warning' : lookOf(state);
  return (
    <span className="state-tag" data-look={look} data-state={state}>
      {isMarred(state, faults) ? <WarningOutlined /> : icons[look]}
      {stateLabel(state)}
    </span>
  );
}

/** Explains a state when its only child, which takes the focus, is pointed at or reached by Tab. */
export function StateTip({
  children,
  ...facts
}: StateFacts & { children: ReactElement<HTMLAttributes<HTMLElement>> }) {
  return <Tip title={<StateHint {...facts} />}>{children}</Tip>;
}

/** The state with how many faults it has. */
function shown(reported: StateFacts) {
  const facts = {
    ...reported,
    state: shownState(reported.state, reported.heldUp),
  };
  const { rowErrors = 0, failedTables = 0, differences = 0, differingTables = 0, warnings = 0 } = facts;
  return { facts, faults: rowErrors + failedTables + differences + differingTables + warnings };
}

const tagTypes: Record<Look, number> = { bad: 0, busy: 1, good: 2, quiet: 3, warning: 5 };

/** Shows the state of what the page is about at the breadcrumbs, where it stays in sight; undefined: not known yet. */
export function usePageState(reported: StateFacts | undefined): void {
  const { facts, faults } = reported ? shown(reported) : { facts: undefined, faults: 0 };
  const look = facts && (isMarred(facts.state, faults) ? 'warning' : lookOf(facts.state));
  usePageTag(facts && look && { type: tagTypes[look], text: stateLabel(facts.state) });
}

/** A state's mark; the tooltip says since when, why, what it means and what to do next. */
export function StateTag(reported: StateFacts) {
  const { facts, faults } = shown(reported);
  if (!isKnownState(facts.state) && !facts.reason && !facts.since)
    return <StateMark state={facts.state} faults={faults} />;
  return (
    <StateTip {...facts}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span tabIndex={0}>
        <StateMark state={facts.state} faults={faults} />
      </span>
    </StateTip>
  );
}
