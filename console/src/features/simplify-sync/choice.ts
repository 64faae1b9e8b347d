/** What is ticked in the source's tree, by ids of schemas (`database/schema`) and tables (`database/schema/table`). */
export interface Choice {
  /** A schema stands for all its tables, also those that are not loaded. */
  chosen: ReadonlySet<string>;
  /** Tables of chosen schemas that are not wanted. */
  leftOut: ReadonlySet<string>;
}

export const nothing: Choice = { chosen: new Set(), leftOut: new Set() };

const parentOf = (id: string) => id.slice(0, id.lastIndexOf('/'));
const isSchema = (id: string) => id.split('/').length === 2;

function without(ids: ReadonlySet<string>, schema: string): Set<string> {
  return new Set([...ids].filter((id) => id !== schema && parentOf(id) !== schema));
}

function flipped(ids: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function toggleSchema({ chosen, leftOut }: Choice, schema: string): Choice {
  const isWhole = chosen.has(schema) && ![...leftOut].some((id) => parentOf(id) === schema);
  const others = without(chosen, schema);
  if (!isWhole) others.add(schema);
  return { chosen: others, leftOut: without(leftOut, schema) };
}

/** The choice after a click on an entry's box. */
export function toggle(choice: Choice, id: string): Choice {
  if (isSchema(id)) return toggleSchema(choice, id);
  return choice.chosen.has(parentOf(id))
    ? { ...choice, leftOut: flipped(choice.leftOut, id) }
    : { ...choice, chosen: flipped(choice.chosen, id) };
}

/** Which boxes are ticked, wholly or partly, among the entries in sight. */
export function marks({ chosen, leftOut }: Choice, tables: readonly string[]) {
  const partly = new Set([...leftOut].map(parentOf));
  for (const id of chosen) if (!isSchema(id)) partly.add(parentOf(id));
  return {
    checked: [
      ...[...chosen].filter((id) => !partly.has(id)),
      ...tables.filter((id) => chosen.has(parentOf(id)) && !leftOut.has(id)),
    ],
    halfChecked: [...partly],
  };
}
