import type { ReactNode } from 'react';

interface PageHeadProps {
  title: ReactNode;
  /** State tag, live mark and the like, right of the title. */
  marks?: ReactNode;
  /** What the state allows: two or three buttons, the rest in a "more" menu. */
  actions?: ReactNode;
  /** Key figures, one row below the title. */
  children?: ReactNode;
}

export function PageHead({ title, marks, actions, children }: PageHeadProps) {
  return (
    <header className="page-head">
      <div className="page-head-line">
        <h1>{title}</h1>
        <div className="page-head-marks">{marks}</div>
        <div className="page-head-actions">{actions}</div>
      </div>
      {children}
    </header>
  );
}
