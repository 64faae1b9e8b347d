import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { passwordFault } from '@/shared/lib/password-rules';

/** A password that somebody else will change at the first sign-in. */
export function PasswordField({ hint }: { hint: string }) {
  const { t } = useTranslation('authority');
  const check = (_: unknown, value = '') => {
    const fault = passwordFault(value);
    return fault ? Promise.reject(new Error(t(`user.fault.password.${fault}`))) : Promise.resolve();
  };
  return (
    <Form.Item
      name="password"
      label={t('user.password')}
      extra={hint}
      required
      rules={[{ validator: check }]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  );
}
