import { Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { FindingRecord } from '@/shared/api';
import { upTo } from '@/shared/ui/up-to';
import type { Transforms } from './draft';
import { Findings } from './findings';

const fields = ['where', 'targetWhere'] as const;

interface Props {
  transforms: Transforms;
  findings: readonly FindingRecord[];
  onChange: (part: Partial<Transforms>) => void;
}

/** Which rows go along: conditions over the source's columns, and over the target's. */
export function Conditions({ transforms, findings, onChange }: Props) {
  const { t } = useTranslation('sync-link');
  const id = useId();
  return (
    <section className="wizard-added">
      <h3>{t('conditions.title')}</h3>
      <p className="wizard-note">{t('conditions.hint')}</p>
      {fields.map((name) => (
        <div key={name} className="wizard-condition">
          <label htmlFor={id + name}>{t(`conditions.${name}`)}</label>
          <Input.TextArea
            id={id + name}
            value={transforms[name]}
            {...upTo(4000)}
            autoSize={{ minRows: 1, maxRows: 6 }}
            placeholder={t(`conditions.${name}Example`)}
            spellCheck={false}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
          <Findings findings={findings.filter(({ column }) => column === name)} />
        </div>
      ))}
    </section>
  );
}
