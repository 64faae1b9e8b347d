import { Form, Input, InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { EtlRule } from '@/shared/api';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { upTo } from '@/shared/ui/up-to';

const MAX_KEPT = 1000;
const kinds = ['expression', 'hash', 'partial', 'fixed'] as const;
const fresh: EtlRule = {
  column: '',
  kind: 'expression',
  expression: '',
  type: '',
  first: 1,
  last: 1,
  value: '',
};

interface Props {
  /** The rule that is changed; left out: a new one is made. */
  rule: EtlRule | undefined;
  /** Columns that have another rule, as far as the page knows. */
  taken?: readonly string[];
  onSave: (rule: EtlRule) => Promise<unknown>;
  onClose: () => void;
}

/** What is not asked for a kind is not sent, so that it does not stay behind unseen. */
export function ruleOf({ column, kind, ...given }: EtlRule): EtlRule {
  const none = { ...fresh, first: 0, last: 0, column, kind };
  if (kind === 'expression') return { ...none, expression: given.expression, type: given.type ?? '' };
  if (kind === 'partial') return { ...none, first: given.first, last: given.last };
  return kind === 'fixed' ? { ...none, value: given.value ?? '' } : none;
}

/** One ETL rule; the server compiles it against the source's structure before it keeps it. */
export function RuleForm({ rule, taken = [], onSave, onClose }: Props) {
  const { t } = useTranslation('subscribe');
  return (
    <FormDrawer<{ rule: EtlRule }>
      asked={rule ? 'modify' : 'submit'}
      title={rule ? t('rule.editOf', { name: rule.column }) : t('rule.add')}
      open
      initialValues={{ rule: { ...fresh, ...rule } }}
      onSubmit={({ rule: given }) => onSave(ruleOf(given))}
      onClose={onClose}
    >
      <Form.Item
        name={['rule', 'column']}
        label={t('rule.column')}
        extra={t('rule.columnHint')}
        rules={[
          { required: true, whitespace: true, max: 255, message: t('rule.columnFault') },
          {
            validator: (_, name: string) =>
              taken.includes(name) ? Promise.reject(new Error(t('rule.taken', { name }))) : Promise.resolve(),
          },
        ]}
      >
        <Input spellCheck={false} />
      </Form.Item>
      <Form.Item name={['rule', 'kind']} label={t('rule.kind')}>
        <Select options={kinds.map((value) => ({ value, label: t(`rule.kinds.${value}`) }))} />
      </Form.Item>
      <KindFields />
    </FormDrawer>
  );
}

/** What else there is to say about a rule of the chosen kind. */
function KindFields() {
  const { t } = useTranslation('subscribe');
  const kind = Form.useWatch(['rule', 'kind']) as EtlRule['kind'] | undefined;
  if (kind === 'expression')
    return (
      <>
        <Form.Item
          name={['rule', 'expression']}
          label={t('rule.kinds.expression')}
          extra={t('rule.expressionHint')}
          rules={[{ required: true, whitespace: true, message: t('rule.expressionFault') }]}
        >
          <Input.TextArea rows={3} {...upTo(4000)} spellCheck={false} />
        </Form.Item>
        <Form.Item name={['rule', 'type']} label={t('rule.type')} extra={t('rule.typeHint')}>
          <Input {...upTo(40)} spellCheck={false} />
        </Form.Item>
      </>
    );
  if (kind === 'partial')
    return (['first', 'last'] as const).map((end) => (
      <Form.Item
        key={end}
        name={['rule', end]}
        label={t(`rule.${end}`)}
        rules={[
          {
            required: true,
            type: 'integer',
            min: 0,
            max: MAX_KEPT,
            message: t('rule.keptFault', { maximum: MAX_KEPT }),
          },
        ]}
      >
        <InputNumber controls={false} />
      </Form.Item>
    ));
  if (kind === 'fixed')
    return (
      <Form.Item name={['rule', 'value']} label={t('rule.value')}>
        <Input {...upTo(4000)} />
      </Form.Item>
    );
  return kind === 'hash' ? <p>{t('rule.hashHint')}</p> : null;
}
