import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogSource } from './log-drawer';

const LogDrawer = lazy(() => import('./log-drawer'));

/** Opens the log of a service or of a host's agent, read where it is. */
export function LogButton({ source }: { source: LogSource }) {
  const { t } = useTranslation('machine');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button type="link" aria-label={t('logOf', { name: source.name })} onClick={() => setOpen(true)}>
        {t('log')}
      </Button>
      <Suspense fallback={null}>
        {isOpen && <LogDrawer source={source} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
