import { Input, Modal, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageActive } from '@/shared/pages/page-context';
import { upTo } from '@/shared/ui/up-to';
import { useDraft } from './draft-store';
import { type LetterCase, type NameRule, ruled } from './names';

const letterCases: readonly LetterCase[] = ['default', 'upper', 'lower'];
const MAX_AFFIX_LENGTH = 64;
const texts = ['from', 'to', 'prefix', 'suffix'] as const;

/** How names in the target follow from names in the source, for tables and for columns. */
export function NamesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sync-link');
  const isActive = usePageActive();
  const { draft, change } = useDraft();
  const [tableNames, setTableNames] = useState(draft.tableNames);
  const [columnNames, setColumnNames] = useState(draft.columnNames);
  const example = Object.values(draft.tables)[0]?.table ?? 'orders';
  return (
    <Modal
      title={t('names.title')}
      open={isActive}
      onCancel={onClose}
      mask={{ closable: false }}
      width={640}
      okText={t('names.save')}
      onOk={() => {
        change({ tableNames, columnNames });
        onClose();
      }}
    >
      <p className="wizard-note">{t('names.hint')}</p>
      <Rule title={t('names.tables')} rule={tableNames} example={example} onChange={setTableNames} />
      <Rule title={t('names.columns')} rule={columnNames} example="created_at" onChange={setColumnNames} />
    </Modal>
  );
}

interface RuleProps {
  title: string;
  rule: NameRule;
  /** A name to show the rule with. */
  example: string;
  onChange: (rule: NameRule) => void;
}

function Rule({ title, rule, example, onChange }: RuleProps) {
  const { t } = useTranslation('sync-link');
  const id = useId();
  return (
    <fieldset className="wizard-rule">
      <legend>{title}</legend>
      {texts.map((name) => (
        <div key={name}>
          <label htmlFor={id + name}>{t(`names.${name}`)}</label>
          <Input
            id={id + name}
            value={rule[name]}
            {...upTo(name === 'prefix' || name === 'suffix' ? MAX_AFFIX_LENGTH : 255)}
            placeholder={t(`names.${name}Example`)}
            spellCheck={false}
            onChange={({ target }) => onChange({ ...rule, [name]: target.value })}
          />
        </div>
      ))}
      <div>
        <label htmlFor={`${id}case`}>{t('mapping.letterCase')}</label>
        <Select<LetterCase>
          id={`${id}case`}
          value={rule.letterCase}
          onChange={(letterCase) => onChange({ ...rule, letterCase })}
          options={letterCases.map((value) => ({ value, label: t(`letterCase.${value}`) }))}
        />
      </div>
      <output className="wizard-note" htmlFor={texts.map((name) => id + name).join(' ')}>
        {t('names.example', { from: example, to: ruled(example, rule) })}
      </output>
    </fieldset>
  );
}
