import type { ReactNode } from 'react';
import { Link } from 'react-router';
import './page-nav.css';

interface Props {
  /** Names the group of pages. */
  label: string;
  pages: readonly { path: string; label: ReactNode }[];
  /** The path of the one that is shown. */
  current: string;
  /** What narrows all that the pages show, at the end of the line. */
  children?: ReactNode;
}

/** The ways between pages that show the same thing differently. */
export function PageNav({ label, pages, current, children }: Props) {
  return (
    <div className="page-nav">
      <nav aria-label={label}>
        {pages.map((page) => (
          <Link key={page.path} to={page.path} aria-current={page.path === current ? 'page' : undefined}>
            {page.label}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
