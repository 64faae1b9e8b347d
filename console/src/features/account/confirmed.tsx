import { useMutation } from '@tanstack/react-query';
import { Alert, Form, Input, Space } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { KeyFailure } from '@/shared/lib/security-key';
import { showFaults, toFault } from '@/shared/ui/form-faults';

export interface Entered {
  currentPassword: string;
  code?: string;
  name?: string;
}

interface Props<Result> {
  submit: (entered: Entered) => Promise<Result>;
  onDone: (result: Result) => void;
  /** What is said of the code, and whether it may be left out for a security key; none: no code is asked for. */
  code?: { hint: string; isOptional?: boolean } | undefined;
  /** Fields before the password, and what they hold at first. */
  fields?: ReactNode;
  initial?: Partial<Entered>;
  /** The buttons. */
  children: ReactNode;
}

/** The own password and a second factor, which each change of second factors takes. */
export function Confirmed<Result>({ submit, onDone, code, fields, initial = {}, children }: Props<Result>) {
  const { t } = useTranslation('account');
  const [form] = Form.useForm<Entered>();
  // Two of them stand in one dialog: their labels must lead to their own fields.
  const name = useId();
  const change = useMutation({ mutationFn: submit, meta: { quiet: true }, onSuccess: onDone });
  const finish = (entered: Entered) =>
    change.mutate(entered, {
      onError: (error) => {
        if (error instanceof ApiError) showFaults(form, error, () => failureText(error, 'submit'));
      },
    });
  const { error } = change;
  return (
    <Form
      form={form}
      name={name}
      layout="vertical"
      initialValues={initial}
      onFinish={finish}
      disabled={change.isPending}
      scrollToFirstError={toFault}
    >
      {fields}
      <Form.Item
        name="currentPassword"
        label={t('current')}
        rules={[{ required: true, message: t('fault.currentEmpty') }]}
      >
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      {code && (
        <Form.Item
          name="code"
          label={t('secondFactor.code')}
          extra={code.hint}
          rules={[{ required: !code.isOptional, whitespace: true, message: t('secondFactor.codeEmpty') }]}
        >
          <Input autoComplete="one-time-code" maxLength={30} />
        </Form.Item>
      )}
      {error instanceof KeyFailure && (
        <Alert className="key-fault" type="error" showIcon title={t(`key.fault.${error.kind}`)} />
      )}
      <Space>{children}</Space>
    </Form>
  );
}
