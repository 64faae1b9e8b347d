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
      {[{ cause: '', text: '', count: undefined }, ...causes].map(({ cause, text, count: met }) => (
        <button
          key={cause}
          type="button"
          aria-pressed={filter.cause === cause}
          title={text || undefined}
          onClick={() => onChoose(cause)}
        >
          {cause ? ellipsis(text, LENGTH) : t('allCauses')}
          {met !== undefined && <span className="tabular">{count(met)}</span>}
        </button>
      ))}
    </fieldset>
  );
}
