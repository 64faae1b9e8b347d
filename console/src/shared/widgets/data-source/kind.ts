import type { ConnectionRecord, DbTypeRecord, OptionRecord } from '@/shared/api';

/** A kind of data source and the form that its specification asks for. `valid` 0: this version cannot use it so. */
export type Kind = DbTypeRecord;

/** One typed option of a connection, in the viewer's language. */
export type KindOption = OptionRecord;

export type ConnectionValues = Record<string, string | number | boolean>;

/** Means the same for every type, so it is called the same. */
const ENCRYPTION = 'tls';

function isExplained(value: string, help: string): boolean {
  return (
    help.split(/[^\w+-]/).includes(value) &&
    [`${value}:`, `${value}\uff1a`].some((start) => help.includes(start))
  );
}

/** What choices are called; all with their values, as link files have them, where the help explains one by that. */
export function labelledChoices({ name, choices, help }: KindOption, label: (value: string) => string) {
  const withValue = name === ENCRYPTION || choices.some((value) => isExplained(value, help));
  return choices.map((value) => {
    const called = label(value);
    return { value, label: withValue && called.toLowerCase() !== value ? `${called} (${value})` : called };
  });
}

/** What the form starts with: the specification's defaults. */
export function defaultValues(kind: Kind): ConnectionValues {
  const entries = kind.options.flatMap(({ name, default: value }) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** Values that mean the same in another kind (host, user) are kept when the kind is changed; ports are not. */
export function carriedValues(kind: Kind, before: ConnectionValues): ConnectionValues {
  const kept = kind.options.flatMap(({ name, type }) => {
    const value = before[name];
    return (type === 'text' || type === 'route' || type === 'driver') && value !== undefined
      ? [[name, value] as const]
      : [];
  });
  return { ...defaultValues(kind), ...Object.fromEntries(kept) };
}

/** A stored connection's options with their labels, in the order of the form. */
export function shownOptions(kinds: readonly Kind[] | undefined, connection: ConnectionRecord) {
  const options = kinds?.find(({ moduletype }) => moduletype === connection.kind)?.options ?? [];
  return options.flatMap(({ name, label }) => {
    const value = connection[name];
    return value === undefined || value === null ? [] : [{ name, label, value: String(value) }];
  });
}
