import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TreeRecord } from '@/shared/api';
import { Card } from '@/shared/ui/card';
import { ListSearch } from '@/shared/ui/list-search';
import { LoadingState } from '@/shared/ui/loading-state';
import type { TreeProps } from './branch-tree';
import { DatabaseChoice } from './database-choice';

// The kit's tree weighs as much as the rest of the page, and is wanted once a database is chosen.
const BranchTree = lazy(() => import('./branch-tree'));

interface Props extends TreeProps {
  database: TreeRecord | undefined;
  onDatabase: (database: TreeRecord) => void;
  /** What fills an empty list of databases. */
  action: ReactNode;
}

/** One side: which database, and the tree of its schemas and tables, loaded where it is opened. */
export function DatabaseTree({ database, onDatabase, action, ...tree }: Props) {
  const { t } = useTranslation('simplify-sync');
  const [search, setSearch] = useState('');
  const { side } = tree;
  return (
    <div className="simplify-side">
      <Card title={t(`side.${side}`)}>
        <DatabaseChoice side={side} database={database} onDatabase={onDatabase} action={action} />
        {database && (
          <>
            <ListSearch label={t('tree.search')} value={search} onSearch={setSearch} />
            <Suspense fallback={<LoadingState rows={4} />}>
              <BranchTree key={database.id} {...tree} database={database.id} search={search} />
            </Suspense>
          </>
        )}
      </Card>
    </div>
  );
}
