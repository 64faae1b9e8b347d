import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PATIENCE = 200;

/** Grey lines that breathe. */
export function Lines({ rows }: { rows: number }) {
  return (
    <div className="grey-lines" aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <span key={row} />
      ))}
    </div>
  );
}

/** Whether a fifth of a second has passed: what is quicker must not flicker. */
export function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** Grey lines in the shape of what comes, once that takes long. */
export function LoadingState({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation();
  const isLate = useLate();
  return (
    <div role="status" aria-label={t('table.loading')} style={{ minHeight: rows * 32, padding: 8 }}>
      {isLate && <Lines rows={rows} />}
    </div>
  );
}
