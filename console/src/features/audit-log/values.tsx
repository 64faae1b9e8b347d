import { Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainTable } from '@/shared/ui/plain-table';
import { type Change, changesOf } from './changes';

interface Props {
  before: unknown;
  after: unknown;
}

const keyOf = ({ field }: Change) => field;

/** What an operation changed, field by field; with one side alone, what it was given or what it deleted. */
export function Values({ before, after }: Props) {
  const { t } = useTranslation('audit-log');
  const [isAll, setAll] = useState(false);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p>{t('noValues')}</p>;
  const field = { key: 'field', title: t('field'), render: (row: Change) => <code>{row.field || '–'}</code> };
  const only =
    before === null || before === undefined
      ? 'after'
      : after === null || after === undefined
        ? 'before'
        : null;
  if (only) {
    const title = t(only === 'after' ? 'values' : 'valuesBefore');
    return (
      <section>
        <h2>{title}</h2>
        <PlainTable
          label={title}
          columns={[field, { key: only, title: t('value'), render: (row) => row[only] }]}
          rows={changes}
          rowKey={keyOf}
        />
      </section>
    );
  }
  const changed = changes.filter(({ isChanged }) => isChanged);
  // An item of a list that one side lacks was added or removed; a field may be missing because only a part was sent.
  const absent = (row: Change) => (row.isChanged ? '–' : t('notRecorded'));
  const shown = isAll ? changes : changed;
  return (
    <section>
      <h2>{t('changes')}</h2>
      {changed.length < changes.length && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control
        <label className="audit-switch">
          <Switch checked={isAll} onChange={setAll} aria-label={t('unchanged')} /> {t('unchanged')}
        </label>
      )}
      {shown.length === 0 ? (
        <p>{t('nothingChanged')}</p>
      ) : (
        <PlainTable
          label={t('changes')}
          columns={[
            field,
            {
              key: 'before',
              title: t('before'),
              render: (row) =>
                row.isChanged && row.before !== undefined ? (
                  <del>{row.before}</del>
                ) : (
                  (row.before ?? absent(row))
                ),
            },
            {
              key: 'after',
              title: t('after'),
              render: (row) =>
                row.isChanged && row.after !== undefined ? (
                  <ins>{row.after}</ins>
                ) : (
                  (row.after ?? absent(row))
                ),
            },
          ]}
          rows={shown}
          rowKey={keyOf}
        />
      )}
    </section>
  );
}
