import { Input, Select } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale } from '@/shared/i18n/locale';
import { time, zone as viewersZone } from '@/shared/lib/figures';
import { type CronField, cronFields, isCron, joinCron, nextRuns, splitCron } from './schedule';
import { describeCron } from './words';
import './cron.css';

interface Props {
  value: string;
  onChange: (expression: string) => void;
  /** The zone that the plan runs in; the viewer's where it has none. */
  zone?: string;
  /** The next runs as the server will make them, in place of those that are worked out here. */
  next?: ReactNode;
}

const presets = ['*/5 * * * *', '0 * * * *', '0 2 * * *', '0 2 * * 1', '0 2 1 * *'] as const;
const SHOWN_RUNS = 5;

function useDescription(expression: string): string {
  const [words, setWords] = useState('');
  useEffect(() => {
    let isWanted = true;
    const show = (text: string) => isWanted && setWords(text);
    if (isCron(expression)) describeCron(expression, currentLocale()).then(show, () => show(''));
    else setWords('');
    return () => {
      isWanted = false;
    };
  }, [expression]);
  return words;
}

/** An expression of five fields, each on its own, with what it means and when it comes next. */
export function CronHelper({ value, onChange, zone = viewersZone(), next }: Props) {
  const { t } = useTranslation();
  const parts = splitCron(value);
  const isValid = isCron(value);
  return (
    <div className="cron">
      <div className="cron-fields">
        {cronFields.map((field) => (
          <FieldBox
            key={field}
            field={field}
            value={parts[field]}
            onChange={(text) => onChange(joinCron({ ...parts, [field]: text.replace(/\s+/g, '') }))}
          />
        ))}
        <Select
          className="cron-presets"
          aria-label={t('cron.presets')}
          value={presets.find((preset) => preset === value) ?? null}
          placeholder={t('cron.presets')}
          onChange={(preset) => preset && onChange(preset)}
          options={presets.map((preset) => ({ value: preset, label: t(`cron.preset.${preset}`) }))}
        />
      </div>
      <div role="status">{isValid ? <Meaning expression={value} zone={zone} next={next} /> : null}</div>
      {!isValid && (
        <p className="cron-wrong" role="alert">
          {t('cron.wrong')}
        </p>
      )}
    </div>
  );
}

function Meaning({ expression, zone, next }: { expression: string; zone: string; next: ReactNode }) {
  const words = useDescription(expression);
  return (
    <>
      <p>
        <code>{expression}</code> {words}
      </p>
      {next ?? <NextRuns expression={expression} zone={zone} />}
    </>
  );
}

function NextRuns({ expression, zone }: { expression: string; zone: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="cron-next">{t('cron.next', { zone })}</p>
      <ol>
        {nextRuns(expression, SHOWN_RUNS, zone).map((run) => (
          <li key={run.toISOString()} className="tabular">
            {time(run)}
          </li>
        ))}
      </ol>
    </>
  );
}

interface FieldBoxProps {
  field: CronField;
  value: string;
  onChange: (value: string) => void;
}

function FieldBox({ field, value, onChange }: FieldBoxProps) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setDraft(value);
  }
  return (
    <div>
      <label htmlFor={id}>{t(`cron.field.${field}`)}</label>
      <Input
        id={id}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          setKnown(event.target.value.replace(/\s+/g, '') || '*');
          onChange(event.target.value);
        }}
      />
    </div>
  );
}
