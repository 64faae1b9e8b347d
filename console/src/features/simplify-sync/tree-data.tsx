import { Button, type TreeDataNode } from 'antd';
import i18n from 'i18next';
import type { TreeRecord } from '@/shared/api';
import type { Side } from './queries';
import type { Branch } from './use-branches';

function tableNode(table: TreeRecord, side: Side): TreeDataNode {
  const { id, name, refused } = table;
  return {
    key: id,
    isLeaf: true,
    selectable: false,
    disableCheckbox: Boolean(refused),
    checkable: side === 'source',
    title: (
      <span className="simplify-table" title={refused || undefined} data-refused={Boolean(refused)}>
        {name}
      </span>
    ),
  };
}

/** What stands below the tables that are loaded: that more are coming, are there, or could not be read. */
function lastNode({ schema, tables, more, isLoading, error }: Branch, loadMore: (id: string) => void) {
  const title = error ? (
    <span role="alert">{error.message}</span>
  ) : isLoading ? (
    i18n.t('simplify-sync:tree.loading')
  ) : more > 0 ? (
    <Button type="link" size="small" onClick={() => loadMore(schema.id)}>
      {i18n.t('simplify-sync:tree.more', { count: more })}
    </Button>
  ) : tables.length === 0 ? (
    i18n.t('simplify-sync:tree.noTables')
  ) : undefined;
  if (title === undefined) return [];
  return [{ key: `${schema.id}#`, isLeaf: true, checkable: false, selectable: false, title }];
}

/** The tree as the kit draws it. In the source's, boxes choose; in the target's, a schema is selected. */
export function treeData(
  branches: readonly Branch[],
  side: Side,
  loadMore: (id: string) => void,
): TreeDataNode[] {
  return branches.map((branch) => ({
    key: branch.schema.id,
    title: branch.schema.name,
    checkable: side === 'source',
    selectable: side === 'target',
    children: [...branch.tables.map((table) => tableNode(table, side)), ...lastNode(branch, loadMore)],
  }));
}
