import { CheckCircleOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { AlertRecord } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { localTimes } from '@/shared/lib/local-times';
import { Moment } from '@/shared/ui/figures';
import { Panel } from './panel';

/** The specification's numbers of an alert's level. */
const looks: Record<number, string> = { 1: 'warning', 3: 'bad' };

/** What went wrong and lasts, the newest first. */
export function AlertsPanel({ alerts, total }: { alerts: readonly AlertRecord[]; total: number }) {
  const { t } = useTranslation('overview-monitor');
  const isCut = total > alerts.length;
  return (
    <Panel
      area="alerts"
      title={t('alerts.title')}
      extra={isCut ? t('firstOf', { shown: alerts.length, total: count(total) }) : undefined}
    >
      {alerts.length === 0 ? (
        <p className="wall-well">
          <CheckCircleOutlined /> {t('alerts.empty')}
        </p>
      ) : (
        <ul className="wall-alerts">
          {alerts.map(({ id, level, kindName, content, recordTime }) => (
            <li key={id} data-look={looks[level] ?? 'quiet'}>
              <span className="wall-name">{kindName}</span>
              <span className="wall-quiet">
                <Moment at={recordTime} />
              </span>
              <span className="wall-content-text" title={localTimes(content)}>
                {localTimes(content)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
