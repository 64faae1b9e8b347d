import { CalendarOutlined } from '@ant-design/icons';
import { type FocusEvent, type KeyboardEvent, lazy, type Ref, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { zone as viewersZone } from '@/shared/lib/figures';
import { wallTime } from '@/shared/lib/zones';
import { type Precision, read, shownAs, stepped } from './wall';
import './moment-input.css';

export { CLOCK, MOMENT } from './wall';

const Calendar = lazy(() => import('./calendar'));

interface Props {
  /** `minute` where it is left out; `clock`: a time of day alone, without a calendar. */
  precision?: Precision;
  /** As `wall.ts` writes times; empty: none. A text that is no time stays as it was written, so that forms refuse it. */
  value?: string;
  onChange?: (value: string) => void;
  /** It was left, or Enter was pressed. */
  onDone?: () => void;
  /** In which the time is meant; the viewer's where it is left out. */
  zone?: string | undefined;
  ref?: Ref<HTMLInputElement>;
  // Forms give these.
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean | 'true' | 'false';
  'aria-required'?: boolean | 'true' | 'false';
}

/** In digits; the signs between them are half as wide. */
const LEAST_WIDTH = { clock: 6, minute: 15, second: 15 } as const;

/**
 * A moment or a time of day, in the console's language whatever the browser's is: written, pasted, changed part by part
 * with the arrows up and down, or its day chosen from a calendar (the button, or Alt and the arrow down).
 */
export function MomentInput({
  precision = 'minute',
  value = '',
  onChange,
  onDone,
  zone,
  ref,
  ...field
}: Props) {
  // The page is not kept waiting for the words of a hint.
  const { t, ready } = useTranslation(['moment', 'common'], { useSuspense: false });
  const own = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const isClock = precision === 'clock';
  const text = typed ?? shownAs(value);
  const now = () => wallTime(new Date(), zone ?? viewersZone()).slice(isClock ? 11 : 0);
  const isFaulty = typed === undefined && text !== '' && read(text, precision) === undefined;
  const zoneHint = isClock ? undefined : t('common:figures.zone', { zone: zone ?? viewersZone() });
  const write = (next: string) => {
    setTyped(next);
    onChange?.(next.trim() === '' ? '' : (read(next, precision) ?? next));
  };
  const put = (wall: string, from: number, to: number) => {
    // The selection is of the new text.
    flushSync(() => write(shownAs(wall)));
    own.current?.focus();
    own.current?.setSelectionRange(from, to);
  };
  const done = () => {
    setTyped(undefined);
    onDone?.();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, altKey, currentTarget } = event;
    if (key === 'Enter') done();
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return;
    event.preventDefault();
    if (altKey) return setOpen(!isClock);
    const wall = read(text, precision);
    const caret = currentTarget.selectionStart ?? 0;
    const next = stepped(wall ?? now(), caret, wall === undefined ? 0 : key === 'ArrowUp' ? 1 : -1);
    put(next.wall, next.from, next.to);
  };
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && box.current?.contains(relatedTarget)) return;
    setOpen(false);
    done();
  };
  const close = () => {
    // While the calendar is still there: else the focus leaves the field for a moment.
    own.current?.focus();
    setOpen(false);
  };
  const pick = (day: string) => {
    close();
    put(`${day}T${read(text, precision)?.slice(11) ?? '00:00'}`, 11, 13);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is left when neither the field nor its calendar has the focus
    <span ref={box} className="moment-input" onBlur={leave}>
      <input
        {...field}
        ref={(element) => {
          own.current = element;
          if (typeof ref === 'function') ref(element);
          else if (ref) ref.current = element;
        }}
        className="plain-field tabular"
        style={{ width: `calc(${Math.max(LEAST_WIDTH[precision], text.length - 2)}ch + 16px)` }}
        autoComplete="off"
        spellCheck={false}
        placeholder={ready ? t(isClock ? 'moment:clockHint' : 'moment:hint') : ''}
        title={isFaulty && ready ? t(isClock ? 'moment:clockFault' : 'moment:fault') : zoneHint}
        {...(isFaulty && { 'aria-invalid': true })}
        value={text}
        onChange={({ target }) => write(target.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={press}
      />
      {!isClock && (
        <button
          type="button"
          className="moment-input-button"
          aria-label={ready ? t('moment:calendar') : ''}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <CalendarOutlined />
        </button>
      )}
      {isOpen && (
        <Suspense>
          <Calendar
            box={box}
            chosen={read(text, precision)?.slice(0, 10)}
            today={wallTime(new Date(), zone ?? viewersZone()).slice(0, 10)}
            onPick={pick}
            onClose={close}
          />
        </Suspense>
      )}
    </span>
  );
}
