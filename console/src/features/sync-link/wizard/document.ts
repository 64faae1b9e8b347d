import type { ConnectionInput, LinkDocument, NameRuleInput, TableMapping } from '@/shared/api';
import type { ConnectionDraft, LinkDraft, PickedTable, Transforms } from './draft';
import { noTransforms, pickedTables, placeOf } from './draft';
import { isPlain, type NameRule, ruled } from './names';

/**
 * Where a table goes unless the viewer says otherwise: the database itself where tables lie in it, else the schema of
 * the same name in the same kind where that has any, or the one that the kind has for tables of others.
 */
export function suggestedSchema(draft: Pick<LinkDraft, 'source' | 'target'>, sourceSchema: string): string {
  const { source, target } = draft;
  if (target.about?.schemas === 'database') return placeOf(target).title;
  const sameSchemas = source.kind === target.kind && hasSchemas(target);
  return sameSchemas ? sourceSchema : (target.about?.defaultSchema ?? '');
}

/** Whether a table's place has a name of its own there, that a viewer may choose. */
export function hasSchemas(target: ConnectionDraft): boolean {
  return target.about?.schemas !== 'none';
}

/** The last part of what a database is called, which may be a path. */
function shortName(connection: ConnectionDraft): string {
  const last = placeOf(connection).title.split(/[\\/]/).pop();
  return last || String(connection.kind);
}

/** A name to begin with: what is replicated and where to. */
export function suggestedName({ source, target }: Pick<LinkDraft, 'source' | 'target'>): string {
  return `${shortName(source)}-${shortName(target)}`.slice(0, 100);
}

export function targetOf(draft: LinkDraft, table: PickedTable): { schema: string; table: string } {
  return {
    schema: table.targetSchema.trim() || suggestedSchema(draft, table.schema),
    table: table.targetTable.trim() || ruled(table.table, draft.tableNames),
  };
}

function connectionOf({ kind, values }: ConnectionDraft): ConnectionInput {
  // The form was built from the kind's specification, whose options are the fields of the document.
  return { kind, ...values } as ConnectionInput;
}

/** The YAML's words for what is done to a table's rows; nothing where nothing is. */
function transformsOf({ where, targetWhere, masks, added }: Transforms): Partial<TableMapping> {
  const constants = added.filter(({ kind }) => kind === 'constant').map(({ name, value }) => [name, value]);
  const expressions = added
    .filter(({ kind }) => kind === 'expression')
    .map(({ name, value, type }) => [name, type ? { expression: value, type } : value]);
  return {
    ...(where.trim() ? { where: where.trim() } : {}),
    ...(targetWhere.trim() ? { targetWhere: targetWhere.trim() } : {}),
    ...(constants.length > 0 ? { constants: Object.fromEntries(constants) } : {}),
    ...(expressions.length > 0 ? { expressions: Object.fromEntries(expressions) } : {}),
    ...(Object.keys(masks).length > 0 ? { masks: { ...masks } } : {}),
  };
}

function ruleOf({ from, to, letterCase, prefix, suffix }: NameRule): NameRuleInput {
  return {
    ...(from ? { replace: { [from]: to } } : {}),
    ...(letterCase === 'default' ? {} : { case: letterCase }),
    ...(prefix ? { prefix } : {}),
    ...(suffix ? { suffix } : {}),
  };
}

function mappingOf(draft: LinkDraft, table: PickedTable): TableMapping {
  const columns = table.columns?.map(({ source, target }) => [source, target] as const);
  return {
    source: { schema: table.schema, table: table.table },
    target: targetOf(draft, table),
    ...(columns ? { columns: Object.fromEntries(columns) } : {}),
    ...(table.key.length > 0 ? { key: [...table.key] } : {}),
    ...(table.appendOnly ? { appendOnly: true } : {}),
    ...transformsOf(table.transforms ?? noTransforms),
  };
}

/** The patterns in a user's text. */
export function patternsIn(text: string): string[] {
  return text.split(/[\s,，;；]+/).filter((pattern) => pattern !== '');
}

/** The link as code: what the console sends is what `zcbus link apply` would. */
export function documentOf(draft: LinkDraft): LinkDocument {
  const newTables = patternsIn(draft.newTables);
  return {
    link: draft.name || suggestedName(draft),
    source: connectionOf(draft.source),
    target: connectionOf(draft.target),
    tables: pickedTables(draft).map((table) => mappingOf(draft, table)),
    load: draft.load,
    clean: draft.load === 'incremental' ? 'none' : draft.clean,
    ddl: draft.ddl,
    indexes: draft.indexes,
    ...(newTables.length > 0 ? { newTables } : {}),
    ...(isPlain(draft.columnNames) ? {} : { names: { column: ruleOf(draft.columnNames) } }),
  };
}
