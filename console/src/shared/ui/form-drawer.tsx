import { Button, Drawer, Form, type FormProps, Space } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/shared/api/errors';
import { failureText } from '@/shared/api/notices';
import { useUnsaved } from '@/shared/pages/unsaved';
import { showFaults, toFault } from './form-faults';
import { useLeave } from './use-leave';

interface FormDrawerProps<Values> {
  title: ReactNode;
  open: boolean;
  initialValues?: FormProps<Values>['initialValues'];
  /**
   * Sends the form, which closes the drawer. It stays open for the answer `false`, and for an ApiError that is thrown, whose
   * field errors appear under their fields.
   */
  onSubmit: (values: Values) => Promise<unknown>;
  onClose: () => void;
  /** What the button says; "Save" where it is left out. */
  saveLabel?: string;
  /** Name of the failed action for errors without a field; omitted: the form creates something. */
  asked?: 'submit' | 'modify';
  /** Read-only. */
  readOnly?: boolean;
  /** How wide; the usual 40 % where it is left out. */
  size?: string;
  children: ReactNode;
}

function focusFirst(fields: HTMLElement | null): void {
  // Who is quick has begun to fill it in while it still slides in.
  if (fields?.contains(document.activeElement)) return;
  fields?.querySelector<HTMLElement>('input:enabled, textarea:enabled')?.focus();
}

/** Create or edit at the right side. Closing with changes asks first; saving is blocked only while it runs. */
export function FormDrawer<Values extends object>(props: FormDrawerProps<Values>) {
  const {
    title,
    open,
    initialValues,
    onSubmit,
    onClose,
    saveLabel,
    asked = 'submit',
    readOnly,
    size = '40%',
    children,
  } = props;
  const { t } = useTranslation();
  const leave = useLeave();
  const [form] = Form.useForm<Values>();
  const [isSaving, setSaving] = useState(false);
  const fields = useRef<HTMLDivElement>(null);

  useUnsaved(() => open && !isSaving && form.isFieldsTouched());
  const close = () => leave(form.isFieldsTouched(), onClose);

  const submit = async (values: Values) => {
    setSaving(true);
    // What the server said before is of what was sent before.
    form.setFields(form.getFieldsError().map(({ name }) => ({ name: name as never, errors: [] })));
    try {
      if ((await onSubmit(values)) !== false) onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showFaults(form, error, () => failureText(error, asked));
    } finally {
      setSaving(false);
    }
  };

  return (
    <Drawer
      title={title}
      open={open}
      onClose={close}
      size={size}
      destroyOnHidden
      afterOpenChange={(isOpen) => isOpen && focusFirst(fields.current)}
      footer={
        <Space className="drawer-footer">
          <Button onClick={close}>{t(readOnly ? 'action.close' : 'action.cancel')}</Button>
          {!readOnly && (
            <Button type="primary" loading={isSaving} onClick={form.submit}>
              {saveLabel ?? t('action.save')}
            </Button>
          )}
        </Space>
      }
    >
      <Form<Values>
        form={form}
        disabled={readOnly}
        layout="vertical"
        preserve={false}
        initialValues={initialValues}
        onFinish={submit}
        scrollToFirstError={toFault}
      >
        <div ref={fields}>{children}</div>
      </Form>
    </Drawer>
  );
}
