import { useTranslation } from 'react-i18next';
import type { ScreenRecord } from '@/shared/api';
import { count, duration, rate } from '@/shared/lib/figures';
import { lookOf } from '@/shared/ui/states';

interface Part {
  state: string;
  amount: number;
  troubled: number;
}

/** How many are in a good state and have no trouble, of how many. */
function wellOf(parts: readonly Part[]): [number, number] {
  const all = parts.reduce((sum, { amount }) => sum + amount, 0);
  const well = parts
    .filter(({ state }) => lookOf(state) === 'good')
    .reduce((sum, { amount, troubled }) => sum + amount - troubled, 0);
  return [well, all];
}

/** What matters, in figures that are read from three metres. */
export function Totals({ screen }: { screen: ScreenRecord }) {
  const { t } = useTranslation('overview-monitor');
  const links = wellOf(
    screen.links.map(({ state, links: amount, heldUp, withErrors }) => ({
      state,
      amount,
      troubled: heldUp + withErrors,
    })),
  );
  const tables = wellOf(
    screen.tables.map(({ state, tables: amount, withErrors }) => ({ state, amount, troubled: withErrors })),
  );
  const services = wellOf(
    screen.services.map(({ state, services: amount, heldUp }) => ({
      state,
      amount,
      troubled: heldUp,
    })),
  );
  const part = ([well, all]: [number, number]) => `${count(well)} / ${count(all)}`;
  const figures: [name: string, figure: string, isTroubled: boolean][] = [
    [t('totals.rate'), rate(screen.rowsPerSecond), false],
    [t('totals.lag'), duration(screen.lagMs), false],
    [t('totals.links'), part(links), links[0] < links[1]],
    [t('totals.tables'), part(tables), tables[0] < tables[1]],
    [t('totals.services'), part(services), services[0] < services[1]],
    [t('totals.problems'), count(screen.problems), screen.problems > 0],
    [t('totals.alerts'), count(screen.alertsTotal), screen.alertsTotal > 0],
    [t('totals.silent'), count(screen.staleLinks), screen.staleLinks > 0],
  ];
  return (
    <dl className="wall-totals">
      {figures.map(([name, figure, isTroubled]) => (
        <div key={name} data-troubled={isTroubled}>
          <dt>{name}</dt>
          <dd className="tabular">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
