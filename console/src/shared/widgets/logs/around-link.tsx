import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '@/shared/hooks/use-may';
import { paths } from '@/shared/pages/paths';

interface Props {
  /** When it happened; ISO 8601. */
  at: string;
  /** The link whose logs are meant; without it and without a source: all that the viewer may see. */
  link?: string | undefined;
  /** The service or agent whose log is meant. */
  source?: string | undefined;
  /** Names what happened, for screen readers. */
  name: string;
  children: ReactNode;
  onLeave?: () => void;
}

/** Leads from something that went wrong to the lines that the logs have around that moment. */
export function LogAroundLink({ at, link = '', source = '', name, children, onLeave }: Props) {
  const may = useMay('monitor/log-search');
  if (!may('view')) return null;
  return (
    <Link to={paths.logsAround(at, { link, source })} aria-label={name} onClick={onLeave}>
      {children}
    </Link>
  );
}
