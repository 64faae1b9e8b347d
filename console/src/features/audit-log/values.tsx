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

/** What an operation changed, field by field; without an earlier value, what it was given. */
export function Values({ before, after }: Props) {
  const { t } = useTranslation('audit-log');
  const [isAll, setAll] = useState(false);
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p>{t('noValues')}</p>;
  const field = { key: 'field', title: t('field'), render: (row: Change) => <code>{row.field || '–'}</code> };
  if (before === null || before === undefined)
    return (
      <section>
        <h2>{t('values')}</h2>
        <PlainTable
          label={t('values')}
          columns={[field, { key: 'after', title: t('value'), render: ({ after: value }) => value }]}
          rows={changes}
          rowKey={keyOf}
        />
      </section>
    );
  const changed = changes.filter((one) => one.before !== one.after);
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
              render: (row) => (row.before === row.after ? row.before : <del>{row.before ?? '–'}</del>),
            },
            {
              key: 'after',
              title: t('after'),
              render: (row) => (row.before === row.after ? row.after : <ins>{row.after ?? '–'}</ins>),
            },
          ]}
          rows={shown}
          rowKey={keyOf}
        />
      )}
    </section>
  );
}
