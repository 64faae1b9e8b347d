import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '@/shared/i18n/locale';
import { moved, weeksOf } from './wall';

interface Props {
  /** The field, below which it is shown; where there is no room, above. */
  box: RefObject<HTMLElement | null>;
  /** Days: `2026-03-04`. */
  chosen: string | undefined;
  today: string;
  onPick: (day: string) => void;
  onClose: () => void;
}

/** Where a key moves to; Home and End: within the week. */
const steps = {
  ArrowLeft: ['day', -1],
  ArrowRight: ['day', 1],
  ArrowUp: ['day', -7],
  ArrowDown: ['day', 7],
  PageUp: ['month', -1],
  PageDown: ['month', 1],
} as const;

const isStep = (key: string): key is keyof typeof steps => key in steps;
const ROOM = 8;

function formatter(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat(currentLocale() === 'zh' ? 'zh-CN' : 'en', {
    ...options,
    timeZone: 'UTC',
  });
  return (day) => format.format(new Date(`${day}T00:00Z`));
}

/** The month of a day, to choose one: by pointer, or with arrows, Page up and down, Home, End and Enter. */
export default function Calendar({ box, chosen, today, onPick, onClose }: Props) {
  const { t } = useTranslation('moment');
  const panel = useRef<HTMLDivElement>(null);
  const [day, setDay] = useState(chosen ?? today);
  const takesFocus = useRef(true);
  const month = formatter({ year: 'numeric', month: 'long' })(day);
  const weeks = weeksOf(day);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day that is to have the focus changes
  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    panel.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [day]);
  usePlace(panel, box, onClose);
  const turn = (by: number) => setDay(moved(`${day}T00:00`, 'month', by).slice(0, 10));
  const press = (event: KeyboardEvent) => {
    const next = dayBy(event.key, day);
    if (event.key === 'Escape') {
      // A dialog around it stays.
      event.stopPropagation();
      onClose();
    }
    if (!next) return;
    event.preventDefault();
    takesFocus.current = true;
    setDay(next);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are of the days in it
    <div ref={panel} className="calendar" tabIndex={-1} onKeyDown={press}>
      <div className="calendar-head">
        <button type="button" aria-label={t('previousMonth')} onClick={() => turn(-1)}>
          <LeftOutlined />
        </button>
        <span aria-live="polite">{month}</span>
        <button type="button" aria-label={t('nextMonth')} onClick={() => turn(1)}>
          <RightOutlined />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are walked through with the arrows */}
      <table role="grid" aria-label={month}>
        <WeekDays days={weeks[0] ?? []} />
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <Day key={one} day={one} at={day} chosen={chosen} today={today} onPick={onPick} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function dayBy(key: string, day: string): string | undefined {
  if (isStep(key)) {
    const [unit, by] = steps[key];
    return moved(`${day}T00:00`, unit, by).slice(0, 10);
  }
  const week = key === 'Home' || key === 'End' ? weeksOf(day).find((days) => days.includes(day)) : undefined;
  return week?.[key === 'Home' ? 0 : 6];
}

function WeekDays({ days }: { days: readonly string[] }) {
  const short = formatter({ weekday: 'narrow' });
  const long = formatter({ weekday: 'long' });
  return (
    <thead>
      <tr>
        {days.map((one) => (
          <th key={one} scope="col" abbr={long(one)}>
            {short(one)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface DayProps {
  day: string;
  /** The one that keys move from. */
  at: string;
  chosen: string | undefined;
  today: string;
  onPick: (day: string) => void;
}

function Day({ day, at, chosen, today, onPick }: DayProps) {
  return (
    <td>
      <button
        type="button"
        tabIndex={day === at ? 0 : -1}
        aria-label={formatter({ dateStyle: 'full' })(day)}
        aria-pressed={day === chosen}
        {...(day === today && { 'aria-current': 'date' })}
        data-other={day.slice(0, 7) !== at.slice(0, 7) || undefined}
        onClick={() => onPick(day)}
      >
        {Number(day.slice(8))}
      </button>
    </td>
  );
}

/** Over everything else, at the field; what moves the field closes it. */
function usePlace(
  panel: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useLayoutEffect(() => {
    if (!panel.current || !box.current) return;
    const [own, field] = [panel.current.getBoundingClientRect(), box.current.getBoundingClientRect()];
    const isBelow = field.bottom + own.height + ROOM <= window.innerHeight || field.top < own.height + ROOM;
    panel.current.style.top = `${isBelow ? field.bottom + 4 : field.top - own.height - 4}px`;
    panel.current.style.left = `${Math.max(ROOM, Math.min(field.left, window.innerWidth - own.width - ROOM))}px`;
    const moves = ({ target }: Event) => {
      if (target === window || (target instanceof Node && target.contains(box.current))) close.current();
    };
    window.addEventListener('scroll', moves, true);
    window.addEventListener('resize', moves);
    return () => {
      window.removeEventListener('scroll', moves, true);
      window.removeEventListener('resize', moves);
    };
  }, [panel, box]);
}
