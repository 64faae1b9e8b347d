import { Checkbox, Input, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { FindingRecord } from '@/shared/api';
import type { ColumnLine } from '@/shared/widgets/data-source/queries';
import type { ColumnEdit } from './column-edits';
import { Findings } from './findings';
import { MaskField } from './mask-field';

interface Props {
  columns: readonly ColumnLine[];
  edits: readonly ColumnEdit[];
  keyNames: readonly string[];
  findings: readonly FindingRecord[];
  onChange: (edits: ColumnEdit[]) => void;
}

/** The source's columns, one line each. */
export function ColumnRows({ columns, edits, keyNames, findings, onChange }: Props) {
  const { t } = useTranslation('sync-link');
  const set = (index: number, part: Partial<ColumnEdit>) =>
    onChange(edits.map((edit, at) => (at === index ? { ...edit, ...part } : edit)));
  return (
    <table className="wizard-columns">
      <thead>
        <tr>
          {(['taken', 'source', 'target', 'becomes', 'mask'] as const).map((name) => (
            <th key={name} scope="col">
              {t(`columns.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {columns.map((column, index) => {
          const edit = edits[index];
          return (
            edit && (
              <ColumnRow
                key={column.name}
                column={column}
                edit={edit}
                isKey={keyNames.includes(column.name)}
                findings={findings.filter((finding) => finding.column === column.name)}
                onChange={(part) => set(index, part)}
              />
            )
          );
        })}
      </tbody>
    </table>
  );
}

interface RowProps {
  column: ColumnLine;
  edit: ColumnEdit;
  isKey: boolean;
  findings: readonly FindingRecord[];
  onChange: (part: Partial<ColumnEdit>) => void;
}

function ColumnRow({ column, edit, isKey, findings, onChange }: RowProps) {
  const { t } = useTranslation('sync-link');
  return (
    <tr>
      <td>
        <Checkbox
          checked={edit.taken}
          aria-label={t('columns.take', { name: column.name })}
          onChange={({ target }) => onChange({ taken: target.checked })}
        />
      </td>
      <td>
        {column.name} {isKey && <Tag color="blue">{t('columns.key')}</Tag>}
        <div className="wizard-type">{column.nativeType}</div>
      </td>
      <td>
        <Input
          value={edit.target}
          placeholder={column.name}
          disabled={!edit.taken}
          aria-label={t('columns.targetOf', { name: column.name })}
          spellCheck={false}
          onChange={({ target }) => onChange({ target: target.value })}
        />
        <Findings findings={findings} />
      </td>
      <td>
        <span className="wizard-type">{column.targetType}</span>
        {column.note && (
          <div className={column.blocking ? 'wizard-note-blocking' : 'wizard-note'}>{column.note.text}</div>
        )}
      </td>
      <td>
        <MaskField
          column={column.name}
          isKey={isKey}
          disabled={!edit.taken}
          mask={edit.mask}
          onChange={(mask) => onChange({ mask })}
        />
      </td>
    </tr>
  );
}
