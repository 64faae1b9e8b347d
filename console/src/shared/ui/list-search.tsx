import { SearchOutlined } from '@ant-design/icons';
import { type CSSProperties, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import './fields.css';

interface Props {
  /** What is searched in; shown while the field is empty. */
  label: string;
  /** What is searched by now. */
  value: string;
  /** Given without blanks around it. */
  onSearch: (text: string) => void;
}

/** Wide signs are as wide as the text is high, the others about half as wide. */
function widthOf(text: string): string {
  const wide = text.match(/[\u2e80-\uffef]/g)?.length ?? 0;
  return `${(wide + (text.length - wide) * 0.56).toFixed(1)}em`;
}

/** The search field above a list: Enter or the button searches, emptying it shows all. */
export function ListSearch({ label, value, onSearch }: Props) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      className="list-search"
      style={{ '--label-width': widthOf(label) } as CSSProperties}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(input.current?.value.trim() ?? '');
      }}
    >
      <input
        ref={input}
        // The address may change under the field: the back button, a link to the same page.
        key={value}
        type="search"
        className="plain-field"
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        onChange={({ target }) => target.value === '' && value !== '' && onSearch('')}
      />
      <button type="submit" className="list-search-button" aria-label={t('action.search')}>
        <SearchOutlined />
      </button>
    </form>
  );
}
