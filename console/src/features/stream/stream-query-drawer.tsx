import { Checkbox, Form, Input, InputNumber, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import {
  audited,
  call,
  type StreamQueryInputForm,
  type StreamQueryRecord,
  streamAddComputation,
  streamEditComputation,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { customerPaths } from '@/shared/pages/paths';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { SqlField } from '@/shared/widgets/sql-editor/field';
import { placeText } from '@/shared/widgets/sync/place';
import { Check } from './check';
import { InputItems } from './input-items';
import { useRefresh, useTargets } from './queries';
import './stream.css';

interface Props {
  /** Left out: a new stream query. */
  edited?: StreamQueryRecord | undefined;
  onClose: () => void;
}

const fresh = {
  inputs: [{}],
  key: [],
  sql: '',
  intervalMs: 1000,
  mostRows: 1_000_000,
  mostStateMb: 10_240,
  targetSchema: 'public',
  start: true,
};

/** A stream query: what it reads, its SELECT, and where the result goes. */
export default function StreamQueryDrawer({ edited, onClose }: Props) {
  const { t } = useTranslation('stream');
  const refresh = useRefresh();
  const isActive = usePageActive();
  const save = async (values: StreamQueryInputForm) => {
    if (edited)
      await call(streamEditComputation({ body: { ...values, id: edited.id }, ...audited(edited, values) }));
    else await call(streamAddComputation({ body: values }));
    await refresh();
    notify('success', t(edited ? 'saved' : 'added', { name: values.name }));
  };
  return (
    <FormDrawer<StreamQueryInputForm>
      asked={edited ? 'modify' : 'submit'}
      title={edited ? t('editTitle', { name: edited.name }) : t('create')}
      open={isActive}
      size="60%"
      initialValues={edited ?? fresh}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="stream-row">
        <Form.Item
          name="name"
          label={t('name')}
          rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
        >
          <Input {...upTo(100)} />
        </Form.Item>
        <TargetField />
      </div>
      <InputItems known={edited?.inputs ?? []} />
      <Statement />
      <Result own={edited && `${edited.targetSchema}.${edited.targetTable}`} />
      <Limits />
      {!edited && (
        <Form.Item name="start" valuePropName="checked">
          <Checkbox>{t('startAtOnce')}</Checkbox>
        </Form.Item>
      )}
    </FormDrawer>
  );
}

/** The database of a customer that the result goes to. */
function TargetField() {
  const { t } = useTranslation('stream');
  const { data, error } = useTargets();
  return (
    <Form.Item
      name="databaseId"
      label={t('database')}
      rules={[{ required: true, message: t('databaseFault') }]}
      extra={error?.message ?? <Link to={customerPaths.stream.customers()}>{t('newCustomer')}</Link>}
    >
      <Select
        loading={!data && !error}
        showSearch={{ optionFilterProp: 'label' }}
        notFoundContent={t('noDatabase')}
        options={(data?.records ?? []).map(({ id, name, customerName, target }) => ({
          value: id,
          label: `${customerName} / ${name} · ${placeText(target)}`,
        }))}
      />
    </Form.Item>
  );
}

function Statement() {
  const { t } = useTranslation('stream');
  const form = Form.useFormInstance<StreamQueryInputForm>();
  const inputs = Form.useWatch('inputs', form) ?? [];
  return (
    <Form.Item
      name="sql"
      label="SQL"
      extra={t('sqlHint')}
      rules={[{ required: true, whitespace: true, message: t('sqlFault') }]}
    >
      <SqlField grammar="postgresql" tables={inputs.flatMap((one) => (one?.name ? [one.name] : []))} />
    </Form.Item>
  );
}

/** The table, its key, and what the SELECT gives. */
function Result({ own }: { own: string | undefined }) {
  const { t } = useTranslation('stream');
  const [columns, setColumns] = useState<readonly string[]>([]);
  return (
    <>
      <div className="stream-row">
        <Form.Item
          name="targetSchema"
          label={t('targetSchema')}
          rules={[{ required: true, whitespace: true, message: t('schemaFault') }]}
        >
          <Input {...upTo(128)} />
        </Form.Item>
        <Form.Item
          name="targetTable"
          label={t('targetTable')}
          rules={[{ required: true, whitespace: true, message: t('tableFault') }]}
        >
          <Input {...upTo(128)} />
        </Form.Item>
      </div>
      <Check own={own} onColumns={setColumns} />
      <Form.Item
        name="key"
        label={t('key')}
        extra={t('keyHint')}
        rules={[{ required: true, type: 'array', min: 1, message: t('keyFault') }]}
      >
        <Select
          mode="tags"
          tokenSeparators={[',']}
          options={columns.map((value) => ({ value, label: value }))}
        />
      </Form.Item>
    </>
  );
}

function Limits() {
  const { t } = useTranslation('stream');
  const limits = [
    ['intervalMs', 100, 86_400_000],
    ['mostRows', 1, 100_000_000],
    ['mostStateMb', 64, 1_000_000],
  ] as const;
  return (
    <div className="stream-row" data-columns="3">
      {limits.map(([name, min, max]) => (
        <Form.Item
          key={name}
          name={name}
          label={t(name)}
          rules={[{ required: true, message: t('numberFault') }]}
        >
          <InputNumber controls={false} min={min} max={max} precision={0} />
        </Form.Item>
      ))}
    </div>
  );
}
