import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview } from '@/shared/api';
import { count, duration, rate } from '@/shared/lib/figures';
import { KeyFigure, KeyFigures } from '@/shared/ui/figures';
import { LookMark, StateTag, stateLabel } from '@/shared/ui/state-tag';
import { isMarred, shownState } from '@/shared/ui/states';

interface Tally {
  state: string;
  amount: number;
  /** They work, but have tables in error, or rows that the target refused. */
  marred?: boolean;
}

function total(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { amount }) => sum + amount, 0);
}

interface Apart {
  heldUp?: number;
  withErrors?: number;
}

/** One tally for each mark: services are counted by their process's state too, and `started` and `normal` look alike when held up. */
function merged(tallies: readonly Tally[]): Tally[] {
  const byMark = new Map<string, Tally>();
  for (const tally of tallies) {
    const mark = `${tally.state} ${tally.marred ?? false}`;
    byMark.set(mark, { ...tally, amount: tally.amount + (byMark.get(mark)?.amount ?? 0) });
  }
  return [...byMark.values()];
}

/** Items with a reason, and items with errors below them, separate from the others in the same state. */
function divided(state: string, amount: number, { heldUp = 0, withErrors = 0 }: Apart): Tally[] {
  const marred = isMarred(state, withErrors) ? withErrors : 0;
  return [
    { state, amount: amount - heldUp - marred },
    { state, amount: marred, marred: true },
    ...(heldUp > 0 ? [{ state: shownState(state, true), amount: heldUp }] : []),
  ];
}

/** The sum, and how it divides among the states. */
function Divided({ tallies }: { tallies: readonly Tally[] }) {
  const { t } = useTranslation('home');
  return (
    <>
      {count(total(tallies))}
      <span className="home-tallies">
        {merged(tallies)
          .filter(({ amount }) => amount > 0)
          .map(({ state, amount, marred = false }) => (
            <span key={`${state} ${marred}`} className="home-tally">
              {marred ? (
                <LookMark look="warning" label={t('figures.withErrors', { state: stateLabel(state) })} />
              ) : (
                <StateTag state={state} />
              )}{' '}
              {count(amount)}
            </span>
          ))}
      </span>
    </>
  );
}

/** The figures over everything the viewer may see. */
export function FiguresCard({ overview }: { overview: Overview }) {
  const { t } = useTranslation('home');
  const links = overview.links.flatMap(({ state, links: amount, ...apart }) => divided(state, amount, apart));
  const tables = overview.tables.flatMap(({ state, tables: amount, ...apart }) =>
    divided(state, amount, apart),
  );
  const services = overview.services.flatMap(({ state, services: amount, ...apart }) =>
    divided(state, amount, apart),
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
