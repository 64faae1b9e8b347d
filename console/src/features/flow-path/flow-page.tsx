import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { FlowRecord } from '@/shared/api';
import { paths } from '@/shared/pages/paths';
import { flowPicture } from './flow-picture';
import { PicturePage } from './picture-page';

/** From every source to every target, stage by stage. */
export default function FlowPage() {
  const { t } = useTranslation('flow-path');
  const draw = useCallback(
    (flows: readonly FlowRecord[]) =>
      flowPicture(flows, {
        publish: t('publish'),
        subscribe: t('subscribe'),
        process: t('process'),
        topics: (count) => t('topics', { count }),
        retention: (hours) => t('retention', { hours }),
      }),
    [t],
  );
  const other = <Link to={paths.topology()}>{t('toTopology')}</Link>;
  return <PicturePage title={t('flow.title')} hint={t('flow.hint')} other={other} draw={draw} />;
}
