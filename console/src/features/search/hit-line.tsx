import { useTranslation } from 'react-i18next';
import type { SearchHit } from '@/shared/api';
import { Moment } from '@/shared/ui/figures';

/** The name with the searched part marked, and what the thing belongs to. */
export function HitLine({ hit, text }: { hit: SearchHit; text: string }) {
  const { t } = useTranslation('search');
  const result = hit.details.result;
  return (
    <span className="search-hit">
      <span className="search-name">
        <Marked name={hit.name} text={text} />
      </span>
      <span className="search-within">
        {hit.at && (
          <>
            <Moment at={hit.at} />{' '}
          </>
        )}
        {hit.within}
        {(result === 'failed' || result === 'begun') && ` · ${t(result)}`}
      </span>
    </span>
  );
}

function Marked({ name, text }: { name: string; text: string }) {
  const place = name.toLowerCase().indexOf(text.toLowerCase());
  if (text === '' || place < 0) return name;
  const end = place + text.length;
  return (
    <>
      {name.slice(0, place)}
      <mark>{name.slice(place, end)}</mark>
      {name.slice(end)}
    </>
  );
}
