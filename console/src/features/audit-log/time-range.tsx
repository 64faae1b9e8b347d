import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import '@/shared/ui/fields.css';

interface Props {
  /** ISO 8601; empty: no limit. */
  since: string;
  until: string;
  onChange: (change: { since: string } | { until: string }) => void;
}

/** The time that a log is narrowed to; either end may be left open. */
export function TimeRange({ since, until, onChange }: Props) {
  const { t } = useTranslation('audit-log');
  return (
    <span className="audit-range">
      <MomentField label={t('from')} value={since} onChange={(moment) => onChange({ since: moment })} />–
      <MomentField label={t('until')} value={until} onChange={(moment) => onChange({ until: moment })} />
    </span>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** The browser's own field. It narrows the list when it is left or by Enter: half a date is no filter. */
function MomentField({ label, value, onChange }: FieldProps) {
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
