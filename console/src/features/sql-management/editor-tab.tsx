import {
  HistoryOutlined,
  ImportOutlined,
  NodeIndexOutlined,
  PlayCircleOutlined,
  SaveOutlined,
} from '@ant-design/icons';
import { Alert, Button, Select, Switch } from 'antd';
import { lazy, Suspense, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SqlDatabase } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { usePageActive } from '@/shared/pages/page-context';
import { useConfirmDanger } from '@/shared/ui/confirm-danger';
import { ErrorState } from '@/shared/ui/error-state';
import { ListChoice } from '@/shared/ui/list-choice';
import { LoadingState } from '@/shared/ui/loading-state';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { Tip } from '@/shared/ui/tip';
import { useGrammar } from '@/shared/widgets/data-source/queries';
import { SqlEditor } from '@/shared/widgets/sql-editor';
import { completionOf, namedTables } from './completion';
import type { Draft } from './draft';
import { SQL, SQL_WRITE, useCatalog, useColumnsOf, useDatabases } from './queries';
import { Result } from './result';
import { type Asked, useRun } from './use-run';
import './sql-management.css';

const SaveDrawer = lazy(() => import('./save-drawer'));
const ImportDrawer = lazy(() => import('./import/import-drawer'));
const HistoryDrawer = lazy(() => import('./history-drawer'));

const ROW_LIMITS = ['100', '1000', '10000'] as const;
const TIME_LIMITS = [10, 30, 60, 300] as const;
const MILLISECONDS = 1000;
const USES = ['publish', 'subscribe', 'api'] as const;

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** The tab is in front. */
  isShown: boolean;
}

/** The editor with what a statement is run against, and the rows that came of it. */
export default function EditorTab(props: Props) {
  const { t } = useTranslation('sql-management');
  const databases = useDatabases();
  if (!databases.data) {
    return databases.error ? (
      <ErrorState error={databases.error} onRetry={databases.refetch} />
    ) : (
      <LoadingState rows={6} />
    );
  }
  return (
    <div className="sql-page">
      {databases.data.length === 0 && <Alert type="info" showIcon title={t('noDatabases')} />}
      <Workbench {...props} databases={databases.data} />
    </div>
  );
}

function Workbench({ draft, onChange, isShown, databases }: Props & { databases: SqlDatabase[] }) {
  const { t } = useTranslation('sql-management');
  const may = useMay(SQL);
  const mayWrite = useMay(SQL_WRITE)('operate') && may('operate');
  const [limits, setLimits] = useState({ rows: '1000', seconds: '30' });
  const [isChanging, setChanging] = useState(false);
  const [open, setOpen] = useState<'save' | 'history' | 'import'>();
  const database = databases.find(({ id }) => id === draft.databaseId);
  const run = useRun();
  const confirm = useConfirmDanger();
  const grammar = useGrammar(database?.kind);
  const schema = useCompletion(may('operate') ? (database?.id ?? '') : '', draft.statement);
  useHistoryKey(isShown && may('operate'), () => setOpen('history'));
  const refused = !may('operate')
    ? t('noRunRight')
    : !database
      ? t('chooseFirst')
      : !draft.statement.trim()
        ? t('writeFirst')
        : undefined;
  const start = (mode: Asked['mode']) => {
    if (refused !== undefined || !database || run.isPending) return;
    const asked: Asked = {
      databaseId: database.id,
      statement: draft.statement,
      ...(mode && { mode }),
      rowLimit: Number(limits.rows),
      timeoutMs: Number(limits.seconds) * MILLISECONDS,
    };
    if (mode) return run.mutate(asked);
    confirm({
      title: t('changeTitle', { name: database.name }),
      content: t('changeHint', { place: database.place }),
      action: t('changeAction'),
      run: async () => run.mutate(asked),
    });
  };
  const runUsual = () => start(isChanging ? undefined : 'read');
  return (
    <>
      <div className="sql-toolbar">
        <DatabaseChoice
          databases={databases}
          value={draft.databaseId}
          onChange={(databaseId) => onChange({ ...draft, databaseId })}
        />
        <Tip title={t('runHint')}>
          <RefusableButton
            type="primary"
            danger={isChanging}
            icon={<PlayCircleOutlined />}
            loading={run.isPending}
            refused={refused}
            onClick={runUsual}
          >
            {t('run')}
          </RefusableButton>
        </Tip>
        <RefusableButton icon={<NodeIndexOutlined />} refused={refused} onClick={() => start('plan')}>
          {t('plan')}
        </RefusableButton>
        <ChangeSwitch isOn={isChanging} onChange={setChanging} />
        <ListChoice
          label={t('rowLimit')}
          value={limits.rows}
          options={ROW_LIMITS.map((value) => ({ value: value as string, label: `≤ ${value}` }))}
          onChange={(rows) => setLimits({ ...limits, rows })}
        />
        <ListChoice
          label={t('timeLimit')}
          value={limits.seconds}
          options={TIME_LIMITS.map((value) => ({ value: String(value), label: `≤ ${value} s` }))}
          onChange={(seconds) => setLimits({ ...limits, seconds })}
        />
        <span className="sql-toolbar-end">
          {draft.description && <span className="sql-draft-name">{draft.description}</span>}
          {mayWrite && (
            <Button icon={<ImportOutlined />} onClick={() => setOpen('import')}>
              {t('import.title')}
            </Button>
          )}
          {(may('create') || (may('edit') && draft.id !== '')) && (
            <Button
              icon={<SaveOutlined />}
              disabled={!draft.statement.trim()}
              onClick={() => setOpen('save')}
            >
              {t('save')}
            </Button>
          )}
          {may('operate') && (
            <Tip title={t('historyHint')}>
              <Button icon={<HistoryOutlined />} onClick={() => setOpen('history')}>
                {t('history')}
              </Button>
            </Tip>
          )}
        </span>
      </div>
      <SqlEditor
        label={t('sql')}
        value={draft.statement}
        onChange={(statement) => onChange({ ...draft, statement })}
        grammar={grammar}
        schema={schema}
        onRun={runUsual}
        height={220}
      />
      <Result run={run} />
      <Suspense>
        {open === 'save' && (
          <SaveDrawer draft={draft} onSaved={onChange} onClose={() => setOpen(undefined)} />
        )}
        {open === 'import' && <ImportDrawer onClose={() => setOpen(undefined)} />}
        {open === 'history' && (
          <HistoryDrawer
            onTake={({ statement, databaseId }) => onChange({ ...draft, statement, databaseId })}
            onClose={() => setOpen(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

interface ChoiceProps {
  databases: SqlDatabase[];
  value: string;
  onChange: (id: string) => void;
}

function DatabaseChoice({ databases, value, onChange }: ChoiceProps) {
  const { t } = useTranslation('sql-management');
  const options = USES.flatMap((use) => {
    const own = databases.filter((one) => one.use === use);
    if (own.length === 0) return [];
    const shown = own.map(({ id, name, place }) => ({ value: id, label: `${name} · ${place}` }));
    return [{ label: t(`uses.${use}`), title: use, options: shown }];
  });
  return (
    <Select
      className="sql-database"
      aria-label={t('database')}
      placeholder={t('databaseChoice')}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      value={value || null}
      options={options}
      onChange={onChange}
    />
  );
}

function ChangeSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation('sql-management');
  const id = useId();
  const isAllowed = useMay(SQL_WRITE)('operate');
  return (
    <Tip title={t(isAllowed ? 'changesHint' : 'noRight')}>
      <span className="sql-switch">
        <Switch id={id} size="small" checked={isOn} disabled={!isAllowed} onChange={onChange} />
        <label htmlFor={id}>{t('changes')}</label>
      </span>
    </Tip>
  );
}

/** Names for completion: of the database's tables, and of the columns of those that the statement names. */
function useCompletion(databaseId: string, statement: string) {
  const catalog = useCatalog(databaseId);
  const tables = catalog.data?.tables;
  const late = useDeferredValue(statement);
  const named = useMemo(() => namedTables(late, tables ?? []), [late, tables]);
  const columns = useColumnsOf(databaseId, named);
  const known = columns.data;
  return useMemo(() => completionOf(tables ?? [], known ?? []), [tables, known]);
}

/** Ctrl+H opens the history instead of the browser's own. */
function useHistoryKey(isOn: boolean, open: () => void) {
  const isActive = usePageActive();
  useEffect(() => {
    if (!isOn || !isActive) return;
    const press = (event: KeyboardEvent) => {
      if (!event.ctrlKey || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'h') return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  });
}
