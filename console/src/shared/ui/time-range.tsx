import dayjs from 'dayjs';
import './fields.css';

interface Props {
  /** Of the two fields. */
  labels: { since: string; until: string };
  /** ISO 8601; empty: no limit. */
  since: string;
  until: string;
  onChange: (change: { since: string } | { until: string }) => void;
}

/** The time that a list is narrowed to; either end may be left open. */
export function TimeRange({ labels, since, until, onChange }: Props) {
  return (
    <span className="time-range">
      <MomentField label={labels.since} value={since} onChange={(moment) => onChange({ since: moment })} />–
      <MomentField label={labels.until} value={until} onChange={(moment) => onChange({ until: moment })} />
    </span>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** The browser's own field. It narrows the list when it is left or by Enter: half a date is no filter. */
export function MomentField({ label, value, onChange }: FieldProps) {
  const shown = value && dayjs(value).isValid() ? dayjs(value).format('YYYY-MM-DDTHH:mm') : '';
  const commit = (text: string) => {
    if (text !== shown) onChange(text && dayjs(text).toISOString());
  };
  return (
    <input
      key={shown}
      type="datetime-local"
      className="plain-field"
      aria-label={label}
      title={label}
      defaultValue={shown}
      onBlur={({ currentTarget }) => commit(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') commit(currentTarget.value);
      }}
    />
  );
}
