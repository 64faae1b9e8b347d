import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  MinusCircleOutlined,
  PauseCircleOutlined,
} from '@ant-design/icons';
import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
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
export function useStateLabel(): (state: string) => string {
  const { t } = useTranslation();
  return (state) => (isKnownState(state) ? t(`state.${state}`) : t('state.unknown', { state }));
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
  const { t } = useTranslation();
  const label = useStateLabel();
  const look = lookOf(state);
  const tag = (
    <span className="state-tag" data-look={look} data-state={state}>
      {icons[look]}
      {label(state)}
    </span>
  );
  if (!reason && !since) return tag;
  const hint = [since && t('state.since', { time: time(since) }), reason].filter(Boolean).join(' · ');
  return (
    <Tooltip title={hint}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span tabIndex={0}>{tag}</span>
    </Tooltip>
  );
}
