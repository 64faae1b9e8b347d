import { Tree } from 'antd';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useElementSize } from '@/shared/hooks/use-element-size';
import { EmptyState } from '@/shared/ui/empty-state';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { type Choice, marks } from './choice';
import type { Side } from './queries';
import { treeData } from './tree-data';
import { useBranches } from './use-branches';

const MIN_HEIGHT = 120;

export interface TreeProps {
  side: Side;
  /** The source's ticks. */
  choice?: Choice;
  onToggle?: (id: string) => void;
  /** The target's schema. */
  selected?: string | undefined;
  onSelect?: (id: string | undefined) => void;
}

interface Props extends TreeProps {
  database: string;
  search: string;
}

/** A database's schemas and their tables. Long ones stay quick: only what is in sight is drawn. */
export default function BranchTree({ side, database, search, choice, onToggle, selected, onSelect }: Props) {
  const { t } = useTranslation('simplify-sync');
  const box = useRef<HTMLDivElement>(null);
  const { height } = useElementSize(box);
  const { schemas, branches, hidden, opened, setOpen, loadMore } = useBranches(side, database, search);
  const nodes = useMemo(() => treeData(branches, side, loadMore), [branches, side, loadMore]);
  const inSight = branches.flatMap(({ tables }) => tables.map(({ id }) => id));
  const state = schemas.data ? (
    <EmptyState title={t(search ? 'tree.noMatch' : 'tree.noSchemas')} />
  ) : schemas.error ? (
    <ErrorState error={schemas.error} onRetry={schemas.refetch} />
  ) : (
    <LoadingState rows={4} />
  );
  return (
    <div className="simplify-tree" ref={box}>
      {branches.length === 0 ? (
        state
      ) : (
        <Tree
          aria-label={t(`side.${side}`)}
          treeData={nodes}
          height={Math.max(height, MIN_HEIGHT)}
          blockNode
          motion={false}
          expandedKeys={[...opened]}
          onExpand={(keys) => setOpen(keys.map(String))}
          checkable={side === 'source'}
          checkStrictly
          checkedKeys={choice ? marks(choice, inSight) : []}
          onCheck={(_, { node }) => onToggle?.(String(node.key))}
          selectedKeys={selected ? [selected] : []}
          onSelect={(keys) => onSelect?.(keys[0] === undefined ? undefined : String(keys[0]))}
        />
      )}
      {hidden > 0 && <p className="simplify-hidden">{t('tree.hidden', { count: hidden })}</p>}
    </div>
  );
}
