import type { FindingRecord, KindPlaceRecord } from '@/shared/api';
import type { ConnectionValues } from '@/shared/widgets/data-source/kind';
import { isNameTooLong, type NameRule, plainRule } from './names';
import { type Step, steps } from './steps';

export type Side = 'source' | 'target';
export type LoadMode = 'full' | 'incremental' | 'full+incremental';
export type CleanMode = 'none' | 'truncate' | 'drop' | 'only-truncate';
export type IndexMode = 'all' | 'keys';
export type DdlMode = 'follow' | 'ignore' | 'stop';

export interface KindAbout extends KindPlaceRecord {
  secrets: readonly string[];
}

export interface ConnectionDraft {
  kind: string | undefined;
  /** How its connections are named, and which options are secrets. */
  about?: KindAbout | undefined;
  values: ConnectionValues;
  /** Fingerprint of the values that last passed the test. */
  passed: string | undefined;
}

export interface ColumnChoice {
  source: string;
  target: string;
}

/** How the values of a column are hidden. */
export type Mask =
  | { method: 'hash' }
  /** Characters that stay readable at both ends. */
  | { method: 'partial'; first: number; last: number }
  | { method: 'fixed'; value: string };

/** A column of the target that the source does not have, or that is computed. */
export interface AddedColumn {
  name: string;
  kind: 'constant' | 'expression';
  /** A text, or SQL over the row's own columns. */
  value: string;
  /** What an expression's result is to be in the target; empty: what it is by itself. */
  type: string;
}

/** What is done to the rows of a table on their way. */
export interface Transforms {
  /** SQL over the source's columns: other rows stay behind. Empty: all go along. */
  where: string;
  /** The same over the target's columns and values. */
  targetWhere: string;
  /** By source column. */
  masks: Readonly<Record<string, Mask>>;
  added: readonly AddedColumn[];
}

export const noTransforms: Transforms = { where: '', targetWhere: '', masks: {}, added: [] };

/** A source table that goes along. */
export interface PickedTable {
  schema: string;
  table: string;
  hasKey: boolean;
  /** Empty: where the target puts it by itself. */
  targetSchema: string;
  /** Empty: the same name. */
  targetTable: string;
  /** Key columns chosen for a table that has none of its own. */
  key: readonly string[];
  /** It goes along without any key; then `key` is empty. */
  appendOnly?: boolean;
  /** Undefined: all columns under their own names. */
  columns: readonly ColumnChoice[] | undefined;
  /** Undefined: rows go along as they are. */
  transforms?: Transforms;
}

export interface LinkDraft {
  source: ConnectionDraft;
  target: ConnectionDraft;
  /** By `tableKey`. */
  tables: Readonly<Record<string, PickedTable>>;
  load: LoadMode;
  clean: CleanMode;
  ddl: DdlMode;
  indexes: IndexMode;
  /** Patterns of tables that are taken in by themselves once the source has them, separated by blanks or commas. */
  newTables: string;
  /** Rule for names without a manual entry. */
  tableNames: NameRule;
  columnNames: NameRule;
  /** What the last pre-check said; shown where it can be mended. */
  findings: readonly FindingRecord[];
  /** Fingerprint of what last passed the pre-check without an error. */
  checked: string | undefined;
  name: string;
}

const untouched: ConnectionDraft = { kind: undefined, values: {}, passed: undefined };

export const emptyDraft: LinkDraft = {
  source: untouched,
  target: untouched,
  tables: {},
  load: 'full+incremental',
  clean: 'none',
  ddl: 'stop',
  indexes: 'all',
  newTables: '',
  tableNames: plainRule,
  columnNames: plainRule,
  findings: [],
  checked: undefined,
  name: '',
};

/** One table's key in the draft. A line break stands in no identifier that the console can show. */
export function tableKey(table: { schema: string; table: string }): string {
  return `${table.schema}\n${table.table}`;
}

/** The kind's form of a name with the values that were filled in. */
function filled(form: string, values: ConnectionValues): string {
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** What the database is called, and the product with its address. */
export function placeOf({ about, values }: ConnectionDraft): { title: string; server: string } {
  if (!about) return { title: '', server: '' };
  return {
    title: filled(about.title, values),
    server: `${about.product} ${filled(about.address, values)}`.trim(),
  };
}

export function fingerprint(connection: ConnectionDraft): string {
  return JSON.stringify([connection.kind, Object.entries(connection.values).sort()]);
}

export function hasPassed(connection: ConnectionDraft): boolean {
  return connection.kind !== undefined && connection.passed === fingerprint(connection);
}

export function pickedTables(draft: LinkDraft): PickedTable[] {
  return Object.values(draft.tables);
}

/** Tables without a key of their own for which neither key columns nor append-only were chosen yet. */
export function tablesWithoutKey(draft: LinkDraft): PickedTable[] {
  return pickedTables(draft).filter((table) => !table.hasKey && table.key.length === 0 && !table.appendOnly);
}

export function tablesWithWrongName(draft: LinkDraft): PickedTable[] {
  return pickedTables(draft).filter(
    ({ targetSchema, targetTable }) => isNameTooLong(targetSchema) || isNameTooLong(targetTable),
  );
}

/** What the pre-check had against one table, the worst first. */
export function findingsOf(draft: Pick<LinkDraft, 'findings'>, table: PickedTable): FindingRecord[] {
  const name = `${table.schema}.${table.table}`;
  return draft.findings.filter((finding) => finding.table === name && finding.level !== 'info');
}

/** Input of the pre-check: everything but the name. */
export function checkedPart(draft: LinkDraft): string {
  const { source, target, tables, load, clean, ddl, indexes, tableNames, columnNames } = draft;
  const parts = [tables, load, clean, ddl, indexes, tableNames, columnNames];
  return JSON.stringify([fingerprint(source), fingerprint(target), ...parts]);
}

/** Whether a step is done, so that the next one may be opened. */
export function isDone(draft: LinkDraft, step: Step): boolean {
  switch (step) {
    case 'source':
      return hasPassed(draft.source);
    case 'target':
      return hasPassed(draft.target);
    case 'tables':
      return pickedTables(draft).length > 0 && tablesWithoutKey(draft).length === 0;
    case 'mapping':
      return tablesWithWrongName(draft).length === 0;
    case 'precheck':
      return draft.checked === checkedPart(draft);
    case 'start':
      return draft.name !== '';
  }
}

/** The furthest step that may be opened: every one before it is done. */
export function furthestStep(draft: LinkDraft): Step {
  return steps.find((step) => !isDone(draft, step)) ?? 'start';
}

/** The wanted step, or the furthest one that may be opened. */
export function allowedStep(draft: LinkDraft, wanted: Step): Step {
  const furthest = furthestStep(draft);
  return steps.indexOf(wanted) <= steps.indexOf(furthest) ? wanted : furthest;
}

export function isUntouched(draft: LinkDraft): boolean {
  return draft.source.kind === undefined && draft.target.kind === undefined;
}

/** The draft without passwords: what the browser may keep. Without them a connection has to be tested again. */
export function withoutSecrets(draft: LinkDraft): LinkDraft {
  const bare = (connection: ConnectionDraft): ConnectionDraft => ({
    kind: connection.kind,
    about: connection.about,
    values: Object.fromEntries(
      Object.entries(connection.values).filter(
        ([name]) => !(connection.about?.secrets ?? Object.keys(connection.values)).includes(name),
      ),
    ),
    passed: undefined,
  });
  return { ...draft, source: bare(draft.source), target: bare(draft.target), checked: undefined };
}
