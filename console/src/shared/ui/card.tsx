import { type ReactNode, useId } from 'react';

interface CardProps {
  title: ReactNode;
  /** Right of the title: a link to where there is more. */
  extra?: ReactNode;
  children: ReactNode;
}

/** A titled white area of a page. */
export function Card({ title, extra, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {extra}
      </div>
      {children}
    </section>
  );
}
