import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MetricsViewProps } from '.';

const MetricsDrawer = lazy(() => import('./metrics-drawer'));

/** Opens the metrics of a service or a host. */
export function MetricsButton(subject: MetricsViewProps) {
  const { t } = useTranslation('metric');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type="link" aria-label={t('of', { name: subject.name })} onClick={() => setOpen(true)}>
        {t('title')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <MetricsDrawer {...subject} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
