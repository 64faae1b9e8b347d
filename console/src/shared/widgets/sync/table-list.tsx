import { DownOutlined } from '@ant-design/icons';
import { Button, Dropdown, Input, Select, Space } from 'antd';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { DataTable, useTableState } from '@/shared/ui/data-table';
import { LiveMark } from '@/shared/ui/live-mark';
import { useStateLabel } from '@/shared/ui/state-tag';
import { IncrementalDialog } from './incremental-dialog';
import { furtherTableVerbs, type TableVerb, tableVerbs, useTaskTables } from './queries';
import { ReasonDialog } from './reason-dialog';
import { useTableColumns } from './table-columns';
import { useTableActions } from './use-table-actions';

/** A narrower list begins at its first page, in the same change of the address. */
const filterDefaults = { search: '', state: '', current: 1 };

const states = [
  'uninitialized',
  'full-allowed',
  'full-running',
  'full-finished',
  'incremental-allowed',
  'incremental-running',
  'suspended',
  'error',
  'full-error',
  'full-info-expired',
  'table-locked',
  'incremental-error',
] as const;

interface Props {
  taskId: string;
  linkId: string;
}

const keyOf = (row: TaskTableRecord) => row.id;

/** The tables of one task, live: state, progress, figures, and what can be done with one or several of them. */
export function TableList({ taskId, linkId }: Props) {
  const { t } = useTranslation('sync');
  const label = useStateLabel();
  const state = useTableState('table-');
  const [filter, setFilter] = useUrlState(filterDefaults, 'table-');
  const query = useTaskTables(taskId, state.request, filter);
  const [chosen, setChosen] = useState<ReadonlyMap<string, TaskTableRecord>>(new Map());
  const [explained, setExplained] = useState<TaskTableRecord>();
  const [beginning, setBeginning] = useState<readonly TaskTableRecord[]>();
  const simple = useTableActions(linkId);
  const act = useCallback(
    (verb: TableVerb, rows: readonly TaskTableRecord[], onDone?: () => void) =>
      verb === 'start-incremental' ? setBeginning(rows) : simple(verb, rows, onDone),
    [simple],
  );
  const columns = useTableColumns(act, setExplained);
  const keys = useMemo(() => new Set(chosen.keys()), [chosen]);
  const narrow = (part: Partial<typeof filter>) => setFilter({ ...part, current: 1 });
  // Rows of other pages stay chosen, so what they may do is remembered as it was when they were seen.
  const choose = (wanted: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...(query.data?.records ?? []).map((row) => [row.id, row] as const)]);
    setChosen(new Map([...known].filter(([key]) => wanted.has(key))));
  };

  return (
    <>
      <DataTable
        label={t('table.title')}
        name="sync-tables"
        columns={columns}
        query={query}
        state={state}
        rowKey={keyOf}
        selection={{ keys, onChange: choose }}
        empty={{
          title: filter.search || filter.state ? t('table.emptyFiltered') : t('table.empty'),
          hint: filter.search || filter.state ? undefined : t('table.emptyHint'),
        }}
        toolbar={
          <>
            <BulkActions rows={[...chosen.values()]} act={act} onDone={() => setChosen(new Map())} />
            <Input.Search
              key={filter.search}
              className="list-search"
              placeholder={t('table.search')}
              aria-label={t('table.search')}
              defaultValue={filter.search}
              allowClear
              onSearch={(search) => narrow({ search: search.trim() })}
            />
            <Select
              aria-label={t('table.stateFilter')}
              value={filter.state}
              onChange={(wanted) => narrow({ state: wanted })}
              popupMatchSelectWidth={false}
              options={[
                { value: '', label: t('table.anyState') },
                ...states.map((value) => ({ value, label: label(value) })),
              ]}
            />
          </>
        }
        extra={<LiveMark query={query} />}
      />
      {beginning && (
        <IncrementalDialog linkId={linkId} tables={beginning} onClose={() => setBeginning(undefined)} />
      )}
      {explained && <ReasonDialog table={explained} onClose={() => setExplained(undefined)} />}
    </>
  );
}

interface BulkProps {
  rows: readonly TaskTableRecord[];
  act: (verb: TableVerb, rows: readonly TaskTableRecord[], onDone?: () => void) => void;
  onDone: () => void;
}

/** A verb is offered as long as one of the chosen tables allows it, and is asked of those only. */
function BulkActions({ rows, act, onDone }: BulkProps) {
  const { t } = useTranslation('sync');
  const allowing = (verb: TableVerb) => rows.filter(({ actions }) => actions.includes(verb));
  return (
    <Space.Compact>
      {tableVerbs.map((verb) => (
        <Button
          key={verb}
          disabled={allowing(verb).length === 0}
          onClick={() => act(verb, allowing(verb), onDone)}
        >
          {t(`table.action.${verb}`)}
        </Button>
      ))}
      <Dropdown
        trigger={['click']}
        disabled={furtherTableVerbs.every((verb) => allowing(verb).length === 0)}
        menu={{
          items: furtherTableVerbs.map((verb) => ({
            key: verb,
            label: t(`table.action.${verb}`),
            disabled: allowing(verb).length === 0,
            onClick: () => act(verb, allowing(verb), onDone),
          })),
        }}
      >
        <Button icon={<DownOutlined />} iconPlacement="end">
          {t('table.more')}
        </Button>
      </Dropdown>
    </Space.Compact>
  );
}
