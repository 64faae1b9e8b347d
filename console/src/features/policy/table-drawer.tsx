import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, InputNumber, Select, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { audited, call, type EtlRule, type PolicyTableRecord, policySaveTable } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';
import { useRefresh } from './queries';
import './policy.css';

interface Props {
  policy: string;
  edit: PolicyTableRecord;
  onClose: () => void;
}

interface TableForm {
  targetSchema?: string;
  targetTable?: string;
  columns?: string[];
  where?: string | null;
  targetWhere?: string | null;
  rules?: EtlRule[];
  ddl?: PolicyTableRecord['table']['ddl'];
}

const kinds = ['expression', 'hash', 'partial', 'fixed'] as const;
const LONGEST = 4000;
const MAX_KEPT = 1000;

/** What a draft says of one table: where it goes, which columns and rows, and what becomes of their values. */
export default function TableDrawer({ policy, edit, onClose }: Props) {
  const { t } = useTranslation('policy');
  const refresh = useRefresh();
  const { table } = edit;
  const save = async (form: TableForm) => {
    const changed = {
      source: table.source,
      targetSchema: form.targetSchema ?? '',
      targetTable: form.targetTable ?? '',
      columns: form.columns ?? [],
      where: form.where?.trim() || null,
      targetWhere: form.targetWhere?.trim() || null,
      rules: form.rules ?? [],
      ddl: form.ddl ?? null,
    };
    await call(policySaveTable({ body: { id: policy, table: changed }, ...audited(table, changed) }));
    notify('success', t('saved', { name: edit.name }));
    await refresh();
  };
  return (
    <FormDrawer<TableForm>
      asked="modify"
      title={t('editTitle', { name: edit.name })}
      open
      initialValues={table}
      onSubmit={save}
      onClose={onClose}
      size="50%"
    >
      <Form.Item name="targetSchema" label={t('targetSchema')} extra={t('targetHint')}>
        <Input {...upTo(128)} />
      </Form.Item>
      <Form.Item name="targetTable" label={t('targetTable')} extra={t('targetHint')}>
        <Input {...upTo(128)} />
      </Form.Item>
      <Form.Item name="columns" label={t('columns')} extra={t('columnsHint')}>
        <Select
          mode="tags"
          tokenSeparators={[',']}
          open={false}
          suffixIcon={null}
          placeholder={t('allColumns')}
        />
      </Form.Item>
      <Form.Item name="where" label={t('where')} extra={t('whereHint')}>
        <Input.TextArea {...upTo(LONGEST)} spellCheck={false} autoSize={{ minRows: 1, maxRows: 6 }} />
      </Form.Item>
      <Form.Item name="targetWhere" label={t('targetWhere')} extra={t('targetWhereHint')}>
        <Input.TextArea {...upTo(LONGEST)} spellCheck={false} autoSize={{ minRows: 1, maxRows: 6 }} />
      </Form.Item>
      <Form.Item name="ddl" label={t('ddl')}>
        <Select
          allowClear
          placeholder={t('asPolicy')}
          options={(['stop', 'follow', 'ignore'] as const).map((value) => ({
            value,
            label: t(`ddls.${value}`),
          }))}
        />
      </Form.Item>
      <Rules />
    </FormDrawer>
  );
}

/** Rules of columns: computed or masked. */
function Rules() {
  const { t } = useTranslation('policy');
  return (
    <Form.Item label={t('rules')} extra={t('rulesHint')}>
      <Form.List name="rules">
        {(fields, { add, remove }) => (
          <>
            {fields.map(({ key, name }) => (
              <div key={key} className="policy-rule">
                <Form.Item
                  name={[name, 'column']}
                  rules={[{ required: true, whitespace: true, message: t('columnFault') }]}
                >
                  <Input {...upTo(255)} aria-label={t('column')} placeholder={t('column')} />
                </Form.Item>
                <Form.Item name={[name, 'kind']} initialValue="hash">
                  <Select
                    aria-label={t('kind')}
                    options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
                  />
                </Form.Item>
                <RuleValues name={name} />
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={t('removeRule', { number: name + 1 })}
                  onClick={() => remove(name)}
                />
              </div>
            ))}
            <Button icon={<PlusOutlined />} onClick={() => add()}>
              {t('addRule')}
            </Button>
          </>
        )}
      </Form.List>
    </Form.Item>
  );
}

/** What a kind of rule needs besides its column. */
function RuleValues({ name }: { name: number }) {
  const { t } = useTranslation('policy');
  const kind: EtlRule['kind'] | undefined = Form.useWatch(['rules', name, 'kind']);
  if (kind === 'expression') {
    return (
      <Space.Compact block>
        <Form.Item
          name={[name, 'expression']}
          className="policy-expression"
          rules={[{ required: true, whitespace: true, message: t('expressionFault') }]}
        >
          <Input {...upTo(LONGEST)} aria-label={t('expression')} placeholder={t('expression')} />
        </Form.Item>
        <Form.Item name={[name, 'type']}>
          <Input {...upTo(40)} aria-label={t('type')} placeholder={t('type')} />
        </Form.Item>
      </Space.Compact>
    );
  }
  if (kind === 'partial') {
    return (
      <Space>
        <Form.Item name={[name, 'first']} initialValue={0}>
          <InputNumber min={0} max={MAX_KEPT} aria-label={t('first')} addonBefore={t('first')} />
        </Form.Item>
        <Form.Item name={[name, 'last']} initialValue={0}>
          <InputNumber min={0} max={MAX_KEPT} aria-label={t('last')} addonBefore={t('last')} />
        </Form.Item>
      </Space>
    );
  }
  if (kind === 'fixed') {
    return (
      <Form.Item name={[name, 'value']}>
        <Input {...upTo(LONGEST)} aria-label={t('value')} placeholder={t('value')} />
      </Form.Item>
    );
  }
  return <span />;
}
