import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview } from '@/shared/api';
import { count, duration, rate } from '@/shared/lib/figures';
import { KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { StateTag } from '@/shared/ui/state-tag';
import { shownState } from '@/shared/ui/states';

interface Tally {
  state: string;
  amount: number;
}

function total(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { amount }) => sum + amount, 0);
}

/** Those that tell why they cannot get on apart from the others in the same state. */
function divided(state: string, amount: number, heldUp: number): Tally[] {
  return [
    { state, amount: amount - heldUp },
    ...(heldUp > 0 ? [{ state: shownState(state, {}), amount: heldUp }] : []),
  ];
}

/** The sum, and how it divides among the states. */
function Divided({ tallies }: { tallies: readonly Tally[] }) {
  return (
    <>
      {count(total(tallies))}
      <span className="home-tallies">
        {tallies
          .filter(({ amount }) => amount > 0)
          .map(({ state, amount }) => (
            <span key={state} className="home-tally">
              <StateTag state={state} /> {count(amount)}
            </span>
          ))}
      </span>
    </>
  );
}

/** The figures over everything the viewer may see. */
export function FiguresCard({ overview }: { overview: Overview }) {
  const { t } = useTranslation('home');
  const links = overview.links.flatMap(({ state, links: amount, heldUp }) => divided(state, amount, heldUp));
  const tables = overview.tables.map(({ state, tables: amount }) => ({ state, amount }));
  const services = overview.services.flatMap(({ observed, services: amount, heldUp }) =>
    divided(observed, amount, heldUp),
  );
  const figures: [string, ReactNode][] = [
    [t('figures.links'), <Divided key="links" tallies={links} />],
    [t('figures.tables'), <Divided key="tables" tallies={tables} />],
    [t('figures.services'), <Divided key="services" tallies={services} />],
    [t('figures.rate'), rate(overview.rowsPerSecond)],
    [t('figures.lag'), duration(overview.lagMs)],
  ];
  return (
    <section className="card" aria-label={t('figures.title')}>
      <KeyFigures>
        {figures.map(([label, figure]) => (
          <KeyFigure key={label} label={label}>
            {figure}
          </KeyFigure>
        ))}
      </KeyFigures>
      {overview.staleLinks > 0 && (
        <p className="home-stale" role="status">
          {t('figures.stale', { count: overview.staleLinks })}
        </p>
      )}
    </section>
  );
}
