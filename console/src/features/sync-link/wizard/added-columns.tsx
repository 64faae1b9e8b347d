import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { FindingRecord } from '@/shared/api';
import { upTo } from '@/shared/ui/up-to';
import type { AddedColumn } from './draft';
import { Findings } from './findings';
import type { Marks } from './marks';

const kinds = ['constant', 'expression'] as const;
const unnamed: AddedColumn = { name: '', kind: 'constant', value: '', type: '' };

interface Props {
  added: readonly AddedColumn[];
  findings: readonly FindingRecord[];
  marks: Marks;
  onChange: (added: AddedColumn[]) => void;
}

/** Columns that the source does not have, or that replace its own: the same text in every row, or SQL over the row. */
export function AddedColumns({ added, findings, marks, onChange }: Props) {
  const { t } = useTranslation('sync-link');
  const set = (index: number, part: Partial<AddedColumn>) =>
    onChange(added.map((column, at) => (at === index ? { ...column, ...part } : column)));
  const remove = (index: number) => {
    marks.remove(index);
    onChange(added.filter((_, at) => at !== index));
  };
  const lacks = (index: number, text: string) => marks.isReported(index) && text.trim() === '';
  return (
    <section className="wizard-added">
      <h3>{t('added.title')}</h3>
      <p className="wizard-note">{t('added.hint')}</p>
      {added.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place; names are being written
        <div key={index} className="wizard-added-line">
          <Input
            value={column.name}
            placeholder={t('added.name')}
            aria-label={t('added.nameOf', { number: index + 1 })}
            spellCheck={false}
            {...invalid(lacks(index, column.name))}
            onBlur={() => marks.touch(index)}
            onChange={({ target }) => set(index, { name: target.value })}
          />
          <Select<AddedColumn['kind']>
            value={column.kind}
            aria-label={t('added.kindOf', { number: index + 1 })}
            onChange={(kind) => set(index, { kind })}
            options={kinds.map((value) => ({ value, label: t(`added.${value}`) }))}
          />
          <Input
            value={column.value}
            {...upTo(4000)}
            placeholder={t(`added.${column.kind}Example`)}
            aria-label={t('added.valueOf', { number: index + 1 })}
            spellCheck={false}
            {...invalid(column.kind === 'expression' && lacks(index, column.value))}
            onBlur={() => marks.touch(index)}
            onChange={({ target }) => set(index, { value: target.value })}
          />
          <Input
            value={column.type}
            {...upTo(40)}
            disabled={column.kind === 'constant'}
            placeholder={t('added.type')}
            aria-label={t('added.typeOf', { number: index + 1 })}
            spellCheck={false}
            onChange={({ target }) => set(index, { type: target.value })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('added.remove', { number: index + 1 })}
            onClick={() => remove(index)}
          />
          <Findings
            findings={findings.filter((finding) => finding.column === column.name && column.name !== '')}
          />
        </div>
      ))}
      <Button icon={<PlusOutlined />} onClick={() => onChange([...added, unnamed])}>
        {t('added.add')}
      </Button>
    </section>
  );
}

const invalid = (isWrong: boolean) =>
  isWrong ? ({ status: 'error', 'aria-invalid': true } as const) : { 'aria-invalid': false };
