import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLongestPassword } from '@/shared/hooks/use-longest-password';
import { passwordFault } from '@/shared/lib/password-rules';

/** A password that its user must change at the first sign-in. */
export function PasswordField({ hint }: { hint: 'user.passwordHint' | 'user.resetHint' }) {
  const { t } = useTranslation('authority');
  const longest = useLongestPassword();
  const check = (_: unknown, value = '') => {
    const fault = passwordFault(value, longest);
    return fault
      ? Promise.reject(new Error(t(`user.fault.password.${fault}`, { longest })))
      : Promise.resolve();
  };
  return (
    <Form.Item
      name="password"
      label={t('user.password')}
      extra={t(hint, { longest })}
      required
      rules={[{ validator: check }]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  );
}
