import dayjs from 'dayjs';
import { useState } from 'react';
import { MOMENT, MomentInput } from './moment-input';
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

/** A moment in the viewer's zone, to the second as ISO 8601 has it. */
function wallOf(value: string): string {
  const at = value ? dayjs(value) : undefined;
  if (!at?.isValid()) return '';
  return at.format(at.second() === 0 ? 'YYYY-MM-DDTHH:mm' : 'YYYY-MM-DDTHH:mm:ss');
}

/** A moment that narrows a list when its field is left or by Enter: half a date is no filter. */
export function MomentField({ label, value, onChange }: FieldProps) {
  const shown = wallOf(value);
  const [known, setKnown] = useState(shown);
  const [draft, setDraft] = useState(shown);
  // The address may change under the field: the back button, a link to the same page.
  if (known !== shown) {
    setKnown(shown);
    setDraft(shown);
  }
  const commit = () => {
    if (draft !== shown && (draft === '' || MOMENT.test(draft)))
      onChange(draft && dayjs(draft).toISOString());
  };
  return (
    <MomentInput precision="second" aria-label={label} value={draft} onChange={setDraft} onDone={commit} />
  );
}
