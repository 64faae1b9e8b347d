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
  /** It is all of the page: its title is the page's heading. */
  isPage?: boolean;
}

/** What stands where a page cannot: the kit's own brings pictures that weigh more than the page. */
export function Result({ status, title, subTitle, extra, isPage = false }: Props) {
  const Title = isPage ? 'h1' : 'div';
  return (
    <div className="result" data-status={status}>
      <span className="result-icon" aria-hidden>
        {icons[status]}
      </span>
      <Title className="result-title">{title}</Title>
      {subTitle && <div className="result-sub">{subTitle}</div>}
      {extra && <div className="result-extra">{extra}</div>}
    </div>
  );
}
