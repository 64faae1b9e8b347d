import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DataImportColumn, DataImportTableColumn } from '@/shared/api';
import { ListChoice } from '@/shared/ui/list-choice';
import { PlainTable } from '@/shared/ui/plain-table';
import { type Choice, TYPES } from './mapping';

interface Props {
  choices: Choice[];
  isNew: boolean;
  table: readonly DataImportTableColumn[];
  file: readonly DataImportColumn[];
  onChange: (choices: Choice[]) => void;
}

/** Which column of the file goes where; of a new table also its types and key. */
export function Columns({ choices, isNew, table, file, onChange }: Props) {
  const { t } = useTranslation('sql-management');
  const found = new Map(file.map(({ name, type }) => [name, type]));
  const change = (source: string, part: Partial<Choice>) =>
    onChange(choices.map((one) => (one.source === source ? { ...one, ...part } : one)));
  return (
    <PlainTable
      label={t('import.columns')}
      rows={choices}
      rowKey={({ source }) => source}
      columns={[
        { key: 'source', title: t('import.source'), render: ({ source }) => source },
        { key: 'found', title: t('import.found'), render: ({ source }) => found.get(source) },
        {
          key: 'target',
          title: t('import.target'),
          render: ({ source, target }) =>
            isNew ? (
              <input
                className="plain-field"
                aria-label={t('import.targetOf', { name: source })}
                placeholder={t('import.leftOut')}
                maxLength={128}
                value={target}
                onChange={(event) => change(source, { target: event.target.value })}
              />
            ) : (
              <ListChoice
                label={t('import.targetOf', { name: source })}
                value={target}
                options={[
                  { value: '', label: t('import.leftOut') },
                  ...table.map(({ name, type }) => ({ value: name, label: `${name} · ${type}` })),
                ]}
                onChange={(value) => change(source, { target: value })}
              />
            ),
        },
        ...(isNew
          ? [
              {
                key: 'type',
                title: t('import.type'),
                render: ({ source, type }: Choice) => (
                  <ListChoice
                    label={t('import.typeOf', { name: source })}
                    value={type}
                    options={[...new Set([found.get(source) ?? type, ...TYPES])].map((value) => ({
                      value,
                      label: value,
                    }))}
                    onChange={(value) => change(source, { type: value })}
                  />
                ),
              },
              {
                key: 'key',
                title: t('import.key'),
                render: ({ source, key }: Choice) => (
                  <Checkbox
                    aria-label={t('import.keyOf', { name: source })}
                    checked={key}
                    onChange={({ target }) => change(source, { key: target.checked })}
                  />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
