import { Form, Input, Select, Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type PolicyRecord, policyAddPolicy, policyEditPolicy } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useNodeChoice, useRefresh } from './queries';
import './policy.css';

interface Props {
  /** Left out: a new policy. */
  edit?: PolicyRecord | undefined;
  onClose: () => void;
}

type Settings = NonNullable<PolicyRecord['settings']>;

interface PolicyForm {
  productName: string;
  nodeMaster: string;
  remark?: string;
  settings: Settings;
}

const usual: Settings = {
  load: 'full+incremental',
  clean: 'none',
  ddl: 'stop',
  indexes: true,
  targetSchema: '',
  tableNames: null,
  columnNames: null,
};

const cases = ['default', 'upper', 'lower'] as const;

/** A policy's name, its publish node, and what holds for all its tables. */
export default function PolicyDrawer({ edit, onClose }: Props) {
  const { t } = useTranslation('policy');
  const refresh = useRefresh();
  const save = async ({ productName, nodeMaster, remark = '', settings }: PolicyForm) => {
    const body = { productName, remark, settings: { ...usual, ...settings } };
    if (edit) await call(policyEditPolicy({ body: { ...body, id: edit.id }, ...audited(edit, body) }));
    else await call(policyAddPolicy({ body: { ...body, nodeMaster } }));
    notify('success', t('saved', { name: productName }));
    await refresh();
  };
  return (
    <FormDrawer<PolicyForm>
      asked={edit ? 'modify' : 'submit'}
      title={edit ? t('editTitle', { name: edit.productName }) : t('add')}
      open
      initialValues={edit ?? { settings: usual }}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="productName"
        label={t('name')}
        rules={[{ required: true, whitespace: true, message: t('nameFault') }]}
      >
        <Input {...upTo(100)} />
      </Form.Item>
      {!edit && <NodeField />}
      <SettingFields />
      <Form.Item name="remark" label={t('remark')}>
        <Input.TextArea {...upTo(200)} showCount autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

function NodeField() {
  const { t } = useTranslation('policy');
  const nodes = useNodeChoice();
  const own = nodes.data?.records.filter(({ linkId }) => linkId === null) ?? [];
  return (
    <Form.Item
      name="nodeMaster"
      label={t('node')}
      rules={[{ required: true, message: t('nodeFault') }]}
      extra={nodes.error?.message ?? t('nodeHint')}
    >
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        loading={nodes.isPending}
        notFoundContent={t('noNodes')}
        options={own.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Form.Item>
  );
}

function SettingFields() {
  const { t } = useTranslation('policy');
  const choice = (name: 'load' | 'clean' | 'ddl', values: readonly string[]) => (
    <Form.Item name={['settings', name]} label={t(name)} extra={t(`${name}Hint`)}>
      <Select options={values.map((value) => ({ value, label: t(`${name}s.${value}` as 'loads.full') }))} />
    </Form.Item>
  );
  return (
    <>
      {choice('load', ['full+incremental', 'full', 'incremental'])}
      {choice('clean', ['none', 'truncate', 'drop', 'only-truncate'])}
      {choice('ddl', ['stop', 'follow', 'ignore'])}
      <Form.Item name={['settings', 'indexes']} label={t('indexes')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Form.Item name={['settings', 'targetSchema']} label={t('targetSchema')} extra={t('targetSchemaHint')}>
        <Input {...upTo(128)} />
      </Form.Item>
      <NameFields name="tableNames" />
      <NameFields name="columnNames" />
    </>
  );
}

/** Case, prefix and suffix of names in the target; nothing said: as the customer's master says. */
function NameFields({ name }: { name: 'tableNames' | 'columnNames' }) {
  const { t } = useTranslation('policy');
  return (
    <Form.Item label={t(name)} extra={t('namesHint')}>
      <div className="policy-names">
        <Form.Item name={['settings', name, 'case']} noStyle>
          <Select
            aria-label={t('nameCase', { of: t(name) })}
            allowClear
            placeholder={t('nameCases.master')}
            options={cases.map((value) => ({ value, label: t(`nameCases.${value}`) }))}
          />
        </Form.Item>
        <Form.Item name={['settings', name, 'prefix']} noStyle>
          <Input {...upTo(64)} aria-label={t('prefixOf', { of: t(name) })} placeholder={t('prefix')} />
        </Form.Item>
        <Form.Item name={['settings', name, 'suffix']} noStyle>
          <Input {...upTo(64)} aria-label={t('suffixOf', { of: t(name) })} placeholder={t('suffix')} />
        </Form.Item>
      </div>
    </Form.Item>
  );
}
