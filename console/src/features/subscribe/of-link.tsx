import { Link } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { useWords } from './audience';

/** Link to the sync link that controls an item, next to the item's name. */
export function OfLink({ id }: { id: string | null }) {
  const { t } = useWords();
  if (id === null) return null;
  return (
    <Link className="of-link" to={paths.syncLink(id)}>
      {t('ofLink')}
    </Link>
  );
}
