import { DoubleLeftOutlined, DoubleRightOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fullCount } from '@/shared/lib/figures';
import { ListChoice } from '../list-choice';
import { JUMP, pageNumbers } from './pages';
import { ALL_ROWS } from './table-state';
import type { TableState } from './types';
import './pager.css';

interface Props {
  /** Name of the list; needed where a page has several lists. */
  of?: string;
  state: TableState;
  total: number;
}

/** Jump back, back, the pages' numbers, on, jump on, sizes, a jump to any page, and the total. */
export function Pager({ of, state, total }: Props) {
  const { t } = useTranslation();
  const { sizes, request, setPage } = state;
  const { current, size } = request;
  const last = size === ALL_ROWS ? 1 : Math.max(1, Math.ceil(total / size));
  const go = (page: number) => setPage(Math.min(last, Math.max(1, page)), size);
  const step = (label: string, by: number, icon: ReactNode) => (
    <button
      type="button"
      className="pager-step"
      aria-label={label}
      title={label}
      disabled={by < 0 ? current === 1 : current >= last}
      onClick={() => go(current + by)}
    >
      {icon}
    </button>
  );
  return (
    <nav className="table-pager" aria-label={of ? t('table.pagesOf', { name: of }) : t('table.pages')}>
      <div className="pager-line">
        {step(t('table.jumpBack', { count: JUMP }), -JUMP, <DoubleLeftOutlined />)}
        {step(t('table.previousPage'), -1, <LeftOutlined />)}
        {pageNumbers(current, last).map((page) => (
          <button
            key={page}
            type="button"
            className="pager-number"
            aria-current={page === current ? 'page' : undefined}
            onClick={() => go(page)}
          >
            {page}
          </button>
        ))}
        {step(t('table.nextPage'), 1, <RightOutlined />)}
        {step(t('table.jumpOn', { count: JUMP }), JUMP, <DoubleRightOutlined />)}
        <ListChoice
          label={t('table.pageSize')}
          value={String(size)}
          options={sizes.map((each) => ({
            value: String(each),
            label: each === ALL_ROWS ? t('table.allRows') : t('table.perPage', { size: each }),
          }))}
          onChange={(wanted) => setPage(1, Number(wanted))}
        />
        <PageField last={last} onGo={go} />
        <span className="pager-total">{t('table.total', { total: fullCount(total) })}</span>
      </div>
    </nav>
  );
}

/** The number of any page, gone to with Enter. */
function PageField({ last, onGo }: { last: number; onGo: (page: number) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const submit = (event: KeyboardEvent) => {
    const page = Number.parseInt(text, 10);
    if (event.key !== 'Enter' || Number.isNaN(page)) return;
    onGo(page);
    setText('');
  };
  return (
    <input
      className="plain-field pager-field"
      inputMode="numeric"
      aria-label={t('table.goTo', { last })}
      placeholder={t('table.goTo', { last })}
      value={text}
      onChange={({ target }) => setText(target.value.replace(/\D/g, ''))}
      onKeyDown={submit}
    />
  );
}
