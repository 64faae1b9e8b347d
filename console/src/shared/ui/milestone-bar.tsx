import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  LoadingOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export type MilestoneState = 'waiting' | 'running' | 'done' | 'error';

export interface Milestone {
  key: string;
  label: ReactNode;
  state: MilestoneState;
  /** A short figure below the label, e.g. "12 / 20 tables". */
  detail?: ReactNode;
}

const icons: Record<MilestoneState, ReactNode> = {
  waiting: <ClockCircleOutlined />,
  running: <LoadingOutlined />,
  done: <CheckCircleFilled />,
  error: <CloseCircleFilled />,
};

/** How far a piece of work has come: structure, full load, incremental, verified. */
export function MilestoneBar({ milestones, label }: { milestones: readonly Milestone[]; label: string }) {
  const { t } = useTranslation();
  return (
    <ol className="milestones" aria-label={label}>
      {milestones.map((milestone) => (
        <li key={milestone.key} data-state={milestone.state}>
          <span className="milestone-icon" role="img" aria-label={t(`milestone.${milestone.state}`)}>
            {icons[milestone.state]}
          </span>
          <span className="milestone-label">{milestone.label}</span>
          <span className="milestone-detail">{milestone.detail ?? t(`milestone.${milestone.state}`)}</span>
        </li>
      ))}
    </ol>
  );
}
