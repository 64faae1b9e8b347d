import { Modal } from 'antd';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { SearchGroup } from '@/shared/api';
import { addressOf } from '@/shared/pages/hit-address';
import { HitLine } from './hit-line';
import { useSearch, useSettled } from './use-search';
import './search.css';

const FEW = 4;

/** The search in front of any page: arrows choose, Enter opens, Escape closes. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('search');
  const navigate = useNavigate();
  const id = useId();
  // The dialog takes the focus for itself as it opens.
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const text = useSettled(typed.trim());
  const query = useSearch({ text, kinds: [], limit: FEW });
  const lines = text === '' ? [] : linesOf(query.data ?? []);
  const count = text === '' ? 0 : lines.length + 1;
  const active = Math.min(place, Math.max(count - 1, 0));
  const open = (address: string) => {
    onClose();
    navigate(address);
  };
  const all = `/resource/search?${new URLSearchParams({ text: typed.trim() })}`;
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (count > 0) setPlace((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
    } else if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault();
      // What was typed after the lines were found is not what they answer.
      const line = text === typed.trim() && !query.isPlaceholderData ? lines[active] : undefined;
      open(line?.address ?? all);
    }
  };
  return (
    <Modal
      open
      title={t('title')}
      footer={null}
      onCancel={onClose}
      width={640}
      destroyOnHidden
      afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
    >
      <input
        ref={field}
        className="plain-field search-field"
        role="combobox"
        aria-label={t('label')}
        aria-expanded={count > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={count > 0 ? `${id}-${active}` : undefined}
        placeholder={t('label')}
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
        }}
        onKeyDown={press}
      />
      <div role="status" className="search-state">
        {text !== '' && query.error && query.error.message}
        {text !== '' && query.data?.length === 0 && t('nothing', { text })}
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={t('title')} className="search-options">
        {lines.map(({ kind, hit, address }, index) => (
          <Option
            key={`${kind} ${hit.id}`}
            id={`${id}-${index}`}
            isActive={index === active}
            onChoose={() => open(address)}
          >
            <HitLine hit={hit} text={text} />
            <span className="search-kind">{t(`kinds.${kind}`)}</span>
          </Option>
        ))}
        {count > 0 && (
          <Option id={`${id}-${lines.length}`} isActive={active === lines.length} onChoose={() => open(all)}>
            {t('allResults', { text })}
          </Option>
        )}
      </div>
    </Modal>
  );
}

function linesOf(groups: readonly SearchGroup[]) {
  return groups.flatMap(({ kind, hits }) =>
    hits.map((hit) => ({ kind, hit, address: addressOf(kind, hit) })),
  );
}

interface OptionProps {
  id: string;
  isActive: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}

function Option({ id, isActive, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      className="search-option"
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
