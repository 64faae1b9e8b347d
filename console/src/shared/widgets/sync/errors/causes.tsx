import { useTranslation } from 'react-i18next';
import { count } from '@/shared/lib/figures';
import { ellipsis } from '@/shared/lib/text';
import { type RowErrorFilter, useCauses } from './queries';
import type { ErrorSource } from './source';

const LENGTH = 80;

interface Props {
  source: ErrorSource;
  filter: RowErrorFilter;
  /** Empty: every cause. */
  onChoose: (cause: string) => void;
}

/** The reasons that the target gave, the most frequent first; one of them narrows the list. */
export function Causes({ source, filter, onChoose }: Props) {
  const { t } = useTranslation('row-error');
  const causes = useCauses(source, filter).data ?? [];
  if (causes.length === 0) return null;
  return (
    <fieldset className="error-causes">
      <legend className="visually-hidden">{t('causes')}</legend>
      {[{ cause: '', count: undefined }, ...causes].map(({ cause, count: met }) => (
        <button
          key={cause}
          type="button"
          aria-pressed={filter.cause === cause}
          title={cause || undefined}
          onClick={() => onChoose(cause)}
        >
          {cause ? ellipsis(cause, LENGTH) : t('allCauses')}
          {met !== undefined && <span className="tabular">{count(met)}</span>}
        </button>
      ))}
    </fieldset>
  );
}
