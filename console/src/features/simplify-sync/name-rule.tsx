import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ListChoice } from '@/shared/ui/list-choice';
import { upTo } from '@/shared/ui/up-to';
import '@/shared/ui/fields.css';
import type { Wanted } from './queries';

/** How a source table's name becomes the target's. */
export interface Rule {
  prefix: string;
  suffix: string;
  letterCase: 'default' | 'upper' | 'lower';
  exact: boolean;
}

export const sameNames: Rule = { prefix: '', suffix: '', letterCase: 'default', exact: false };
const cases = ['default', 'upper', 'lower'] as const;
const MAX_AFFIX_LENGTH = 64;

export function matchingBy({ prefix, suffix, letterCase, exact }: Rule): Pick<Wanted, 'names' | 'exact'> {
  return { names: { prefix: prefix || null, suffix: suffix || null, case: letterCase }, exact };
}

export function NameRule({ rule, onChange }: { rule: Rule; onChange: (rule: Rule) => void }) {
  const { t } = useTranslation('simplify-sync');
  const id = useId();
  const affix = (name: 'prefix' | 'suffix') => (
    <span className="simplify-affix">
      <label htmlFor={`${id}-${name}`}>{t(`rule.${name}`)}</label>
      <input
        className="plain-field"
        id={`${id}-${name}`}
        value={rule[name]}
        {...upTo(MAX_AFFIX_LENGTH)}
        spellCheck={false}
        onChange={({ target }) => onChange({ ...rule, [name]: target.value.trim() })}
      />
    </span>
  );
  return (
    <div className="simplify-rule">
      {affix('prefix')}
      {affix('suffix')}
      <label htmlFor={id}>{t('rule.case')}</label>
      <ListChoice
        id={id}
        label={t('rule.case')}
        value={rule.letterCase}
        onChange={(letterCase) => onChange({ ...rule, letterCase })}
        options={cases.map((value) => ({ value, label: t(`rule.cases.${value}`) }))}
      />
      <span className="simplify-affix">
        <input
          id={`${id}-exact`}
          type="checkbox"
          checked={rule.exact}
          onChange={({ target }) => onChange({ ...rule, exact: target.checked })}
        />
        <label htmlFor={`${id}-exact`}>{t('rule.exact')}</label>
      </span>
    </div>
  );
}
