import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TreeRecord } from '@/shared/api';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { ListChoice } from '@/shared/ui/list-choice';
import { ListSearch } from '@/shared/ui/list-search';
import { LoadingState } from '@/shared/ui/loading-state';
import { placeText } from '@/shared/widgets/sync/place';
import { type Side, useDatabases } from './queries';

interface Props {
  side: Side;
  database: TreeRecord | undefined;
  onDatabase: (database: TreeRecord) => void;
  action: ReactNode;
}

function placeOf({ name, place, usedBy }: TreeRecord): string {
  const where = place ? placeText(place) : name;
  return usedBy?.length ? `${where} (${usedBy.join(', ')})` : where;
}

/** One of the databases that are known; where there are many, a search on the server narrows them. */
export function DatabaseChoice({ side, database, onDatabase, action }: Props) {
  const { t } = useTranslation('simplify-sync');
  const id = useId();
  const [search, setSearch] = useState('');
  const query = useDatabases(side, search);
  if (!query.data) {
    if (query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
    return <LoadingState rows={2} />;
  }
  const { records, total } = query.data;
  if (total === 0 && search === '' && !database)
    return (
      <EmptyState title={t('tree.noDatabases')} hint={t(`tree.noDatabasesHint.${side}`)} action={action} />
    );
  const offered =
    database && !records.some((one) => one.id === database.id) ? [database, ...records] : records;
  return (
    <div className="simplify-database">
      {(search !== '' || total > records.length) && (
        <ListSearch label={t('tree.searchDatabase')} value={search} onSearch={setSearch} />
      )}
      <label htmlFor={id}>{t('tree.database')}</label>
      <ListChoice
        id={id}
        label={t('tree.databaseOf', { side: t(`side.${side}`) })}
        value={database?.id ?? ''}
        options={[
          { value: '', label: t(offered.length > 0 ? 'tree.choose' : 'tree.notFound') },
          ...offered.map((one) => ({ value: one.id, label: placeOf(one) })),
        ]}
        onChange={(value) => {
          const chosen = offered.find((one) => one.id === value);
          if (chosen) onDatabase(chosen);
        }}
      />
    </div>
  );
}
