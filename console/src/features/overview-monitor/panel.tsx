import type { ReactNode } from 'react';

interface PanelProps {
  /** The panel's place in the grid of the wall. */
  area: string;
  title: string;
  /** Next to the title: of how many these are the first. */
  extra?: ReactNode;
  children: ReactNode;
}

/** A titled part of the wall. */
export function Panel({ area, title, extra, children }: PanelProps) {
  return (
    <section className="wall-panel" style={{ gridArea: area }} aria-label={title}>
      <h2>
        {title}
        {extra !== undefined && <span className="wall-quiet"> {extra}</span>}
      </h2>
      {children}
    </section>
  );
}
