import { LoadingOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBusy } from '@/shared/lib/busy';

/** What is done sooner needs no mask: it would only flicker. */
const PATIENCE = 300;

/** Covers the page while an operation runs that blocks all others. */
export function LoadingMask() {
  const { t } = useTranslation('frame');
  const isBusy = useBusy(({ running }) => running > 0);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isBusy) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isBusy]);
  if (!isShown) return null;
  return (
    <div className="frame-mask" role="status">
      <LoadingOutlined className="frame-mask-sign" />
      <span>{t('busy')}</span>
    </div>
  );
}
