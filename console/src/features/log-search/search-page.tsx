import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { LoadingState } from '@/shared/ui/loading-state';

const LogSearchView = lazy(() => import('@/shared/widgets/logs'));

const defaults = { link: '' };

/** The logs of all services and agents that the viewer may see; of a link's where the address names one. */
export default function LogSearchPage() {
  const { t } = useTranslation('log-search');
  const [{ link }] = useUrlState(defaults);
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <Suspense fallback={<LoadingState rows={10} />}>
        <LogSearchView scope={link ? { linkId: link } : {}} name="zcbus" />
      </Suspense>
    </>
  );
}
