import { Checkbox, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { RowErrorDetail } from '@/shared/api';
import { PlainTable } from '@/shared/ui/plain-table';

/** New values by column; columns that are left as they are don't stand here. */
export type Edits = Readonly<Record<string, string | null>>;

type Image = RowErrorDetail['after'];

interface Props {
  found: Pick<RowErrorDetail, 'before' | 'after' | 'lacks'>;
  /** Undefined while nothing can be changed. */
  edits: Edits | undefined;
  onEdit: (edits: Edits) => void;
}

/** A row before and after its change, column by column; the new values can be changed. */
export function Values({ found, edits, onEdit }: Props) {
  const { t } = useTranslation('row-error');
  const { before, after, lacks } = found;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after), ...lacks])];
  const isGiven = (name: string) => name in after || lacks.includes(name);
  const first = names.find(isGiven);
  const change = (name: string, value: string | null) => {
    const { [name]: _, ...others } = edits ?? {};
    onEdit(value === after[name] ? others : { ...others, [name]: value });
  };
  return (
    <>
      <div className="row-error-values">
        <PlainTable
          label={t('detail.values')}
          rows={names}
          rowKey={(name) => name}
          columns={[
            { key: 'column', title: t('detail.column'), render: (name) => name },
            {
              key: 'before',
              title: t('detail.before'),
              render: (name) => <Value image={before} name={name} />,
            },
            {
              key: 'after',
              title: t('detail.after'),
              render: (name) =>
                edits && isGiven(name) ? (
                  <EditedValue
                    name={name}
                    isFirst={name === first}
                    value={shownValue(name, edits, after)}
                    onChange={(value) => change(name, value)}
                  />
                ) : (
                  <Value image={after} name={name} lacks={lacks} />
                ),
            },
          ]}
        />
      </div>
      {edits && <p className="row-error-null">{t('detail.binary')}</p>}
    </>
  );
}

/** A column without a value has an empty field, which gives it none. */
function shownValue(name: string, edits: Edits, after: Image): string | null {
  const values: Image = { [name]: '', ...after, ...edits };
  return values[name] ?? null;
}

interface ValueProps {
  image: Image;
  name: string;
  lacks?: readonly string[];
}

function Value({ image, name, lacks = [] }: ValueProps) {
  const { t } = useTranslation('row-error');
  if (!(name in image) && lacks.includes(name))
    return <span className="row-error-null">{t('detail.noValue')}</span>;
  if (!(name in image)) return <span className="row-error-null">{t('detail.notSent')}</span>;
  return image[name] ?? <span className="row-error-null">{t('detail.null')}</span>;
}

interface EditedProps {
  name: string;
  /** It takes the focus: the button that let values be changed is gone. */
  isFirst: boolean;
  value: string | null;
  onChange: (value: string | null) => void;
}

function EditedValue({ name, isFirst, value, onChange }: EditedProps) {
  const { t } = useTranslation('row-error');
  return (
    <div className="row-error-edit">
      <Input.TextArea
        autoFocus={isFirst}
        autoSize={{ minRows: 1, maxRows: 8 }}
        aria-label={t('detail.valueOf', { column: name })}
        value={value ?? ''}
        disabled={value === null}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      <Checkbox
        checked={value === null}
        aria-label={t('detail.isNull', { column: name })}
        onChange={({ target }) => onChange(target.checked ? null : '')}
      >
        {t('detail.null')}
      </Checkbox>
    </div>
  );
}
