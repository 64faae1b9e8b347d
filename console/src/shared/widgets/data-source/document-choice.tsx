import { App, Form, type FormInstance, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ShippedDocumentRecord } from '@/shared/api';
import type { ConnectionValues, Kind } from './kind';
import { useDocuments } from './queries';

interface Props {
  form: FormInstance<ConnectionValues>;
  kind: Kind;
  onChange: (values: ConnectionValues) => void;
}

/** Ready-made documents of well-known services. Choosing one fills in document, address and parameters. */
export default function DocumentChoice({ form, kind, onChange }: Props) {
  const { t } = useTranslation('data-source');
  const { modal } = App.useApp();
  const { data, error, isFetching } = useDocuments(kind.moduletype);
  if (data?.length === 0) return null;
  const fill = ({ values }: ShippedDocumentRecord) => {
    form.setFieldsValue(values);
    onChange(form.getFieldsValue());
  };
  const choose = (name: string) => {
    const chosen = data?.find((one) => one.name === name);
    if (!chosen) return;
    const option = kind.options.find(({ type }) => type === 'document')?.name ?? '';
    const typed = String(form.getFieldValue(option) ?? '').trim();
    const isShipped = data?.some(({ values }) => values[option]?.trim() === typed);
    if (!typed || isShipped) return fill(chosen);
    modal.confirm({
      title: t('document.replace'),
      content: t('document.replaceHint'),
      okText: t('document.ok'),
      cancelText: t('document.cancel'),
      onOk: () => fill(chosen),
    });
  };
  const id = `connection-${kind.moduletype}-begin`;
  return (
    <Form.Item
      label={t('document.label')}
      htmlFor={id}
      className="connection-wide"
      extra={error?.message ?? t('document.hint')}
    >
      <Select
        id={id}
        // An action, not a stored value: empty again after each choice.
        value={null}
        placeholder={t('document.placeholder')}
        loading={isFetching}
        options={data?.map(({ name, label, preview }) => ({
          value: name,
          label: preview ? t('document.option', { name: label }) : label,
        }))}
        onChange={(name: string | null) => name !== null && choose(name)}
      />
    </Form.Item>
  );
}
