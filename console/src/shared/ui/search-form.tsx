import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button, Space } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListChoice } from './list-choice';
import './search-form.css';

/** One thing to search by. With `options` it is chosen, otherwise written. */
export interface SearchField {
  name: string;
  label: string;
  options?: readonly { value: string; label: string }[];
}

type Values = Readonly<Record<string, string>>;

interface Props {
  fields: readonly SearchField[];
  /** What is searched by now, usually from the address; a field without an entry is empty. */
  values: Values;
  onSearch: (values: Values) => void;
  /** How many fields stand in the row; the rest appears with "more". */
  shown?: number;
}

/** The line of search fields above a list: Enter or the button searches, reset empties every field. */
export function SearchForm({ fields, values, onSearch, shown = 3 }: Props) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(values);
  const [known, setKnown] = useState(values);
  // A field in use must not be hidden.
  const isUsed = fields.slice(shown).some(({ name }) => values[name]);
  const [isOpen, setOpen] = useState(isUsed);
  // The address may change under the form: the back button, a link to the same page.
  if (!same(known, values)) {
    setKnown(values);
    setDraft(values);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(trimmed(fields, draft));
  };
  return (
    <search>
      <form className="search-form" onSubmit={submit}>
        {(isOpen ? fields : fields.slice(0, shown)).map((field) => (
          <FieldBox
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            onChange={(value) => setDraft({ ...draft, [field.name]: value })}
          />
        ))}
        <Space>
          <Button type="primary" htmlType="submit">
            {t('action.search')}
          </Button>
          <Button onClick={() => onSearch(trimmed(fields, {}))}>{t('action.reset')}</Button>
          {fields.length > shown && (
            <Button
              type="link"
              icon={isOpen ? <UpOutlined /> : <DownOutlined />}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {t(isOpen ? 'action.less' : 'action.more')}
            </Button>
          )}
        </Space>
      </form>
    </search>
  );
}

interface FieldBoxProps {
  field: SearchField;
  value: string;
  onChange: (value: string) => void;
}

function FieldBox({ field, value, onChange }: FieldBoxProps) {
  const id = useId();
  return (
    <div className="search-field">
      <label htmlFor={id}>{field.label}</label>
      {field.options ? (
        <ListChoice id={id} label={field.label} value={value} options={field.options} onChange={onChange} />
      ) : (
        <input
          id={id}
          className="plain-field"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}

function same(one: Values, other: Values): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? '') === (other[name] ?? ''));
}

function trimmed(fields: readonly SearchField[], values: Values): Values {
  return Object.fromEntries(fields.map(({ name }) => [name, (values[name] ?? '').trim()]));
}
