import { Link } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { useWords } from './audience';

/** Beside the name of what a sync link steers: the way to that link. */
export function OfLink({ id }: { id: string | null }) {
  const { t } = useWords();
  if (id === null) return null;
  return (
    <Link className="of-link" to={paths.syncLink(id)}>
      {t('ofLink')}
    </Link>
  );
}
