import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  MinusCircleOutlined,
  PauseCircleOutlined,
} from '@ant-design/icons';
import { Tooltip } from 'antd';
import i18n from 'i18next';
import type { ReactNode } from 'react';
import { word } from '@/shared/i18n/word';
import { time } from '@/shared/lib/figures';
import { isKnownState, type Look, lookOf } from './states';

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

interface StateTagProps {
  state: string;
  /** Why it is so, and what to do next. */
  reason?: string | null;
  /** ISO 8601. */
  since?: string | null;
}

/** A state as word, icon and colour, the same on every page; the tooltip says since when and why. */
export function StateTag({ state, reason, since }: StateTagProps) {
  const look = lookOf(state);
  const tag = (
    <span className="state-tag" data-look={look} data-state={state}>
      {icons[look]}
      {stateLabel(state)}
    </span>
  );
  if (!reason && !since) return tag;
  const hint = [since && i18n.t('state.since', { time: time(since) }), reason].filter(Boolean).join(' · ');
  return (
    <Tooltip title={hint}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span tabIndex={0}>{tag}</span>
    </Tooltip>
  );
}
