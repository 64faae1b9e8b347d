import { Alert, Checkbox, Form, type FormInstance, Input, InputNumber, Select } from 'antd';
import type { Rule } from 'antd/es/form';
import type { PasswordProps } from 'antd/es/input';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type ConnectionValues, type Kind, type KindOption, labelledChoices } from './kind';
import './connection-form.css';
import type { ConnectionChoice } from '@/shared/api';
import { toFault } from '@/shared/ui/form-faults';

/** On demand: few kinds have a document. */
const DocumentChoice = lazy(() => import('./document-choice'));
const DocumentImport = lazy(() => import('./document-import'));
const DocumentTools = lazy(() => import('./document-tools'));
const DriverChoice = lazy(() => import('./driver-choice'));
const RouteChoice = lazy(() => import('./route-choice'));

interface Props {
  form: FormInstance<ConnectionValues>;
  kind: Kind;
  values: ConnectionValues;
  onChange: (values: ConnectionValues) => void;
  /** Enter in a field. */
  onSubmit: () => void;
  /** The stored connection that is edited, by which the server finds its secrets. */
  stored?: Pick<ConnectionChoice, 'nodeMaster' | 'databaseId'>;
}

/** The form that a kind's specification asks for: typed options only, never a free address or driver properties. */
export function ConnectionForm({ form, kind, values, onChange, onSubmit, stored }: Props) {
  const { t } = useTranslation('data-source');
  return (
    <Form<ConnectionValues>
      form={form}
      // Another kind is another form: what was typed is handed over by `values`.
      key={kind.moduletype}
      name={`connection-${kind.moduletype}`}
      layout="vertical"
      className="connection-form"
      autoComplete="off"
      initialValues={values}
      onValuesChange={(_, all) => onChange(present(all))}
      onFinish={onSubmit}
      scrollToFirstError={toFault}
    >
      {kind.maturity === 'preview' && (
        <Alert
          className="connection-note"
          type="warning"
          showIcon
          title={t('kind.maturity.preview')}
          description={t('kind.previewDetail')}
        />
      )}
      {kind.repeats && (
        <Alert
          className="connection-note"
          type="info"
          showIcon
          title={t('kind.repeatsNote')}
          description={t('kind.repeatsDetail')}
        />
      )}
      {kind.preview && (
        <Suspense fallback={null}>
          <DocumentChoice form={form} kind={kind} onChange={(all) => onChange(present(all))} />
        </Suspense>
      )}
      {kind.imports && (
        <Suspense fallback={null}>
          <DocumentImport form={form} kind={kind} onChange={(all) => onChange(present(all))} />
        </Suspense>
      )}
      {kind.options.map((option) => (
        <OptionItem key={option.name} option={option} />
      ))}
      {kind.preview && (
        <Suspense fallback={null}>
          <DocumentTools form={form} kind={kind} values={values} stored={stored} />
        </Suspense>
      )}
      {/* Enter submits only where a submit control exists; the visible buttons stand outside the form. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </Form>
  );
}

function present(values: Partial<Record<string, string | number | boolean | null>>): ConnectionValues {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as ConnectionValues;
}

interface OptionItemProps {
  option: KindOption;
  /** The part of a larger form that holds the connection. */
  within?: string;
}

/** One option of a connection. */
export function OptionItem({ option, within }: OptionItemProps) {
  return (
    <Form.Item
      name={within === undefined ? option.name : [within, option.name]}
      label={option.label}
      rules={useRules(option)}
      valuePropName={option.type === 'boolean' ? 'checked' : 'value'}
      className={option.type === 'document' ? 'connection-wide' : undefined}
      extra={option.help ? <Help text={option.help} /> : undefined}
      validateTrigger={['onBlur', 'onSubmit']}
    >
      <OptionControl option={option} />
    </Form.Item>
  );
}

/** What stands between backticks is typed as it is. */
function Help({ text }: { text: string }) {
  return text.split('`').map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function useRules(option: KindOption): Rule[] {
  const { t } = useTranslation('data-source');
  const required = { required: option.required, message: t('form.required', { field: option.label }) };
  if (option.type === 'integer') {
    const range = t('form.range', { field: option.label, maximum: option.maximum });
    return [required, { type: 'integer', min: option.minimum, max: option.maximum, message: range }];
  }
  if (option.type === 'choice' || option.type === 'boolean') return [required];
  return [
    { ...required, whitespace: option.type !== 'secret' && option.required },
    { max: option.maximum, message: t('form.tooLong', { maximum: option.maximum }) },
  ];
}

/** A reference to a secret that the agent's host keeps is no secret: it is shown. */
function SecretInput(field: PasswordProps) {
  const isReference = typeof field.value === 'string' && /^\$\{(env|file|vault):/.test(field.value);
  return (
    <Input.Password
      {...field}
      autoComplete="new-password"
      visibilityToggle={isReference ? { visible: true } : true}
    />
  );
}

/** The form item hands `id`, `value` and `onChange` to the control, which passes them on. */
function OptionControl({ option, ...field }: { option: KindOption }) {
  const { t } = useTranslation('data-source');
  switch (option.type) {
    case 'integer':
      return <InputNumber {...field} className="connection-number" controls={false} />;
    case 'boolean':
      return <Checkbox {...field} />;
    case 'secret':
      return <SecretInput {...field} />;
    case 'choice':
      return (
        <Select
          {...field}
          options={labelledChoices(option, (value) =>
            t(`choice.${value}` as 'choice.prefer', { defaultValue: value }),
          )}
        />
      );
    case 'document':
      return (
        <Input.TextArea
          {...field}
          className="connection-document"
          autoSize={{ minRows: 10, maxRows: 24 }}
          wrap="off"
          spellCheck={false}
        />
      );
    case 'driver':
      return (
        <Suspense fallback={<Input {...field} disabled />}>
          <DriverChoice {...field} />
        </Suspense>
      );
    case 'route':
      return (
        <Suspense fallback={<Input {...field} disabled />}>
          <RouteChoice {...field} />
        </Suspense>
      );
    default:
      return <Input {...field} autoComplete="off" spellCheck={false} />;
  }
}
