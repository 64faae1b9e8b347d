import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { BusyTable } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { duration, rate } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { stateLabel } from '@/shared/ui/state-tag';
import { lookOf } from '@/shared/ui/states';
import { Panel } from './panel';

/** The tables that most is applied to. */
export function TablesPanel({ tables }: { tables: readonly BusyTable[] }) {
  const { t } = useTranslation('overview-monitor');
  const mayOpen = useMay('sync-link')('view');
  return (
    <Panel area="tables" title={t('tables.title')}>
      {tables.length === 0 ? (
        <p className="wall-quiet">{t('tables.empty')}</p>
      ) : (
        <ul className="wall-rows">
          {tables.map(({ id, name, linkId, linkName, state, rowsPerSecond, lagMs }) => (
            <li key={id} data-look={lookOf(state)}>
              <span className="wall-name">{name}</span>
              <span className="wall-quiet">
                {mayOpen && linkId ? <Link to={paths.syncLink(linkId)}>{linkName}</Link> : linkName}
              </span>
              <span className="wall-state">{stateLabel(state)}</span>
              <span className="tabular">{rate(rowsPerSecond)}</span>
              <span className="tabular">{duration(lagMs)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
