import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { SearchGroup } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { addressOf } from '@/shared/pages/hit-address';
import { Card } from '@/shared/ui/card';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LoadingState } from '@/shared/ui/loading-state';
import { HitLine } from './hit-line';
import { useSearch } from './use-search';
import './search.css';

const defaults = { text: '', kind: '' };
const FEW = 8;
const MANY = 100;
const KINDS = [
  ...([
    'link',
    'published-table',
    'subscribed-table',
    'column',
    'node',
    'topic',
    'customer',
    'policy',
  ] as const),
  ...(['service', 'container', 'api', 'plan', 'sql', 'user', 'operation'] as const),
];

/** Everything that has a name and that the viewer may see; text and kind are in the address. */
export default function SearchPage() {
  const { t } = useTranslation('search');
  const [{ text, kind }, change] = useUrlState(defaults);
  const chosen = KINDS.find((one) => one === kind);
  return (
    <div className="search-page">
      <h1 className="visually-hidden">{t('title')}</h1>
      <div className="search-bar">
        <ListSearch label={t('label')} value={text} onSearch={(wanted) => change({ text: wanted })} />
        <ListChoice
          label={t('kind')}
          value={chosen ?? ''}
          options={[
            { value: '', label: t('anyKind') },
            ...KINDS.map((one) => ({ value: one as string, label: t(`kinds.${one}`) })),
          ]}
          onChange={(next) => change({ kind: next })}
        />
      </div>
      {text === '' ? (
        <EmptyState title={t('hint')} hint={t('hintText')} />
      ) : (
        <Found text={text} kind={chosen} onKind={(next) => change({ kind: next })} />
      )}
    </div>
  );
}

interface FoundProps {
  text: string;
  kind: SearchGroup['kind'] | undefined;
  onKind: (kind: SearchGroup['kind']) => void;
}

function Found({ text, kind, onKind }: FoundProps) {
  const { t } = useTranslation('search');
  const query = useSearch({ text, kinds: kind ? [kind] : [], limit: kind ? MANY : FEW });
  if (query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingState rows={8} />;
  if (query.data.length === 0) return <EmptyState title={t('nothing', { text })} hint={t('nothingHint')} />;
  return (
    <div className="search-groups" role="status" aria-busy={query.isPlaceholderData}>
      {query.data.map((group) => (
        <Group
          key={group.kind}
          group={group}
          text={text}
          {...(!kind && { onAll: () => onKind(group.kind) })}
        />
      ))}
    </div>
  );
}

interface GroupProps {
  group: SearchGroup;
  text: string;
  /** Shows more of the kind. */
  onAll?: () => void;
}

function Group({ group: { kind, hits, more }, text, onAll }: GroupProps) {
  const { t } = useTranslation('search');
  return (
    <Card
      title={t(`kinds.${kind}`)}
      extra={
        <span>
          {t(more ? 'foundMore' : 'found', { count: hits.length })}{' '}
          {more && onAll && (
            <button type="button" className="search-more" onClick={onAll}>
              {t('all')}
            </button>
          )}
        </span>
      }
    >
      <ul className="search-list">
        {hits.map((hit) => (
          <li key={hit.id}>
            <Link to={addressOf(kind, hit)}>
              <HitLine hit={hit} text={text} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
