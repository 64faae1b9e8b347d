import { Empty } from 'antd';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** What this is and why it is empty. */
  title: ReactNode;
  hint?: ReactNode;
  /** The button that fills it. */
  action?: ReactNode;
}

export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <div className="empty-title">{title}</div>
          {hint && <div className="empty-hint">{hint}</div>}
        </>
      }
    >
      {action}
    </Empty>
  );
}
