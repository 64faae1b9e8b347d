import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  MinusCircleOutlined,
  PauseCircleOutlined,
} from '@ant-design/icons';
import { Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { time } from '@/shared/lib/figures';
import { isKnownState, type Look, lookOf } from './states';

const looks: Record<Look, { colour: string; icon: ReactNode }> = {
  good: { colour: 'green', icon: <CheckCircleOutlined /> },
  busy: { colour: 'blue', icon: <ClockCircleOutlined /> },
  quiet: { colour: 'default', icon: <MinusCircleOutlined /> },
  warning: { colour: 'orange', icon: <PauseCircleOutlined /> },
  bad: { colour: 'red', icon: <CloseCircleOutlined /> },
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
  const look = looks[lookOf(state)];
  const tag = (
    <Tag color={look.colour} icon={look.icon} className="state-tag" data-state={state}>
      {label(state)}
    </Tag>
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
