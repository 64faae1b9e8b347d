import './fields.css';

interface Props<Value extends string> {
  label: string;
  value: Value;
  /** The first one usually stands for "all", with an empty value. */
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  /** The element's id, where a label of the page's own names it. */
  id?: string;
}

/** One of a few things to narrow a list by. The browser's own: every list has some, and the kit's weighs more than a list. */
export function ListChoice<Value extends string>({ label, value, options, onChange, id }: Props<Value>) {
  return (
    <select
      id={id}
      className="plain-field plain-choice"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
