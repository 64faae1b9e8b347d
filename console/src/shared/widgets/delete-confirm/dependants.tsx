import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DependantGroup, DependantsRequest } from '@/shared/api';
import { addressOf } from '@/shared/pages/hit-address';
import { Lines } from '@/shared/ui/loading-state';
import { useDependants } from './queries';

interface Props {
  asked: DependantsRequest;
  /** The dialog closes before a link is followed. */
  onLeave: () => void;
}

/** What depends on the object, with links to it: what prevents the deletion first. */
export function Dependants({ asked, onLeave }: Props) {
  const { t } = useTranslation('delete-confirm');
  const { data, isPending, error } = useDependants(asked);
  if (isPending) return <Lines rows={1} />;
  if (error)
    return <Alert type="warning" showIcon title={error.message} role="alert" className="delete-warning" />;
  const parts = [true, false].map((prevents) => data.filter((group) => group.prevents === prevents));
  return parts.map((groups) => {
    const first = groups[0];
    if (!first) return null;
    const title = first.prevents ? t('prevents') : t('affects');
    return (
      <section key={title} className="delete-dependants" aria-label={title}>
        <strong>{title}</strong>
        <ul>
          {groups.map((group) => (
            <Group key={group.kind} group={group} onLeave={onLeave} />
          ))}
        </ul>
      </section>
    );
  });
}

function Group({ group, onLeave }: { group: DependantGroup; onLeave: () => void }) {
  const { t } = useTranslation('delete-confirm');
  const { kind, hits, total } = group;
  const more = total - hits.length;
  return (
    <li>
      {t(`kinds.${kind as Shown}`, { count: total })}
      {hits.map((hit, index) => (
        <span key={hit.id}>
          {index === 0 ? t('colon') : t('comma')}
          <Link to={addressOf(kind, hit)} onClick={onLeave}>
            {hit.name}
          </Link>
        </span>
      ))}
      {hits.length > 0 && more > 0 && ` ${t('more', { count: more })}`}
    </li>
  );
}

/** Kinds that others depend on. */
type Shown =
  | 'link'
  | 'node'
  | 'customer'
  | 'subscribed-table'
  | 'policy'
  | 'service'
  | 'api'
  | 'app'
  | 'plan'
  | 'user'
  | 'alert-rule'
  | 'computation'
  | 'department'
  | 'master';
