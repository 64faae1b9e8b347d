import {
  ExclamationCircleOutlined,
  InfoCircleOutlined,
  LockOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import './result.css';

const icons = {
  info: <InfoCircleOutlined />,
  warning: <WarningOutlined />,
  error: <ExclamationCircleOutlined />,
  locked: <LockOutlined />,
} as const;

interface Props {
  status: keyof typeof icons;
  title: ReactNode;
  subTitle?: ReactNode;
  /** What can be done about it. */
  extra?: ReactNode;
}

/** What stands where a page cannot: the kit's own brings pictures that weigh more than the page. */
export function Result({ status, title, subTitle, extra }: Props) {
  return (
    <div className="result" data-status={status}>
      <span className="result-icon" aria-hidden>
        {icons[status]}
      </span>
      <div className="result-title">{title}</div>
      {subTitle && <div className="result-sub">{subTitle}</div>}
      {extra && <div className="result-extra">{extra}</div>}
    </div>
  );
}
