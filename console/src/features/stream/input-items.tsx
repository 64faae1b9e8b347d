import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StreamQueryRecord } from '@/shared/api';
import { StateMark } from '@/shared/ui/state-tag';
import { upTo } from '@/shared/ui/up-to';
import { useInputs } from './queries';

const MOST = 16;

interface Choice {
  value: string;
  label: string;
  /** Of publishing it; left out: it was chosen before. */
  state?: string;
}

/** A stream query over such a table waits for an operator. */
const FAILED: readonly string[] = [
  'publish-failed',
  'no-primary-key',
  'full-topic-expired',
  'publish-stopped',
];

/** The published tables that are read, and what the SELECT calls them. */
export function InputItems({ known }: { known: StreamQueryRecord['inputs'] }) {
  const { t } = useTranslation('stream');
  const shown = known.map(({ table, nodeName, source }) => ({
    value: table,
    label: `${nodeName} · ${source}`,
  }));
  return (
    <fieldset className="stream-inputs">
      <legend>{t('inputs')}</legend>
      <Form.List name="inputs">
        {(items, { add, remove }, { errors }) => (
          <>
            {items.map(({ key, name }) => (
              <div className="stream-input" key={key}>
                <TableField place={name} known={shown} />
                <Form.Item
                  name={[name, 'name']}
                  label={t('input.name')}
                  rules={[{ required: true, whitespace: true, message: t('input.nameFault') }]}
                >
                  <Input {...upTo(128)} />
                </Form.Item>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={t('input.remove', { number: name + 1 })}
                  disabled={items.length === 1}
                  onClick={() => remove(name)}
                />
              </div>
            ))}
            <Button icon={<PlusOutlined />} disabled={items.length >= MOST} onClick={() => add({})}>
              {t('input.add')}
            </Button>
            <Form.ErrorList errors={errors} />
            <p className="stream-hint">{t('input.hint')}</p>
          </>
        )}
      </Form.List>
    </fieldset>
  );
}

/** A published table; what the SELECT calls it follows until it was typed. */
function TableField({ place, known }: { place: number; known: readonly Choice[] }) {
  const { t } = useTranslation('stream');
  const form = Form.useFormInstance();
  const [search, setSearch] = useState('');
  const { data, error, isFetching } = useInputs(search);
  const found = (data?.records ?? []).map(({ id, table, nodeName, state }) => ({
    value: id,
    label: `${nodeName} · ${table}`,
    state,
  }));
  const [chosen, setChosen] = useState<Choice>();
  const unlisted = [...known, ...(chosen ? [chosen] : [])].filter(
    ({ value }) => search === '' && !found.some((one) => one.value === value),
  );
  const choose = (value: string, label: string) => {
    setChosen({ value, label });
    const name = ['inputs', place, 'name'];
    if (!form.isFieldTouched(name)) form.setFieldValue(name, label.slice(label.lastIndexOf('.') + 1));
  };
  return (
    <Form.Item
      name={[place, 'table']}
      label={t('input.table')}
      rules={[{ required: true, message: t('input.tableFault') }]}
      extra={error?.message}
    >
      <Select<string, Choice>
        showSearch={{ filterOption: false, onSearch: setSearch }}
        loading={isFetching}
        options={[...found, ...unlisted]}
        onSelect={(value, { label }) => choose(value, label)}
        optionRender={({ label, data: { state } }) => (
          <>
            {label} {state && FAILED.includes(state) && <StateMark state={state} />}
          </>
        )}
        notFoundContent={t('input.none')}
      />
    </Form.Item>
  );
}
