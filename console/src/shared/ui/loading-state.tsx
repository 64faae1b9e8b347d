import { Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PATIENCE = 200;

/** Grey lines in the shape of what comes, after a fifth of a second: what is quicker must not flicker. */
export function LoadingState({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={t('table.loading')} style={{ minHeight: rows * 32, padding: 8 }}>
      {isLate && <Skeleton active title={false} paragraph={{ rows, width: '100%' }} />}
    </div>
  );
}
