import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { FlowRecord } from '@/shared/api';
import { paths } from '@/shared/pages/paths';
import { PicturePage } from './picture-page';
import { topologyPicture } from './topology-picture';

/** Hosts and database servers, and who talks to whom. */
export default function TopologyPage() {
  const { t } = useTranslation('flow-path');
  const draw = useCallback(
    (flows: readonly FlowRecord[]) =>
      topologyPicture(flows, {
        nowhere: t('nowhere'),
        bus: t('bus'),
        busHint: t('busHint'),
        services: (count) => t('services', { count }),
      }),
    [t],
  );
  const other = <Link to={paths.flowPath()}>{t('toFlow')}</Link>;
  return <PicturePage title={t('topology.title')} hint={t('topology.hint')} other={other} draw={draw} />;
}
