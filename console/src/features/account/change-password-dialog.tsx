import { useMutation } from '@tanstack/react-query';
import { Form, Input, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { accountChangePassword, call } from '@/shared/api';
import { clearSession } from '@/shared/api/session';
import { beginFarewell, currentToken, endFarewell } from '@/shared/api/token';
import { useLongestPassword } from '@/shared/hooks/use-longest-password';
import { passwordFault } from '@/shared/lib/password-rules';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';
import { toFault } from '@/shared/ui/form-faults';

interface Passwords {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

/** Changes the own password; the server then ends every session, so the viewer signs in again. */
function useChangePassword() {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (passwords: Passwords) =>
      call(accountChangePassword({ body: { ...passwords, token: currentToken() } })),
    // The server ends every session at once: pages that still poll must not report a lost one.
    onMutate: beginFarewell,
    onError: endFarewell,
    onSuccess: () => {
      clearSession();
      session.set(storeKeys.farewell, t('changed'));
      navigate(paths.signIn());
    },
  });
}

export default function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const [form] = Form.useForm<Passwords>();
  const change = useChangePassword();
  const longest = useLongestPassword();
  const checkNew = (_: unknown, value = '') => {
    const fault = passwordFault(value, longest);
    return fault ? Promise.reject(new Error(t(`account:fault.${fault}`, { longest }))) : Promise.resolve();
  };
  const checkConfirmation = (_: unknown, value = '') => {
    if (value === '') return Promise.reject(new Error(t('account:fault.confirmEmpty')));
    if (value !== form.getFieldValue('newPassword'))
      return Promise.reject(new Error(t('account:fault.differs')));
    return Promise.resolve();
  };
  return (
    <Modal
      open
      title={t('account:title')}
      okText={t('common:action.confirm')}
      cancelText={t('common:action.cancel')}
      confirmLoading={change.isPending}
      onOk={form.submit}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Form
        form={form}
        layout="vertical"
        onFinish={(values) => change.mutate(values)}
        scrollToFirstError={toFault}
      >
        <Form.Item
          name="currentPassword"
          label={t('account:current')}
          rules={[{ required: true, message: t('account:fault.currentEmpty') }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          name="newPassword"
          label={t('account:new')}
          extra={t('account:rules', { longest })}
          required
          rules={[{ validator: checkNew }]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="confirmPassword"
          label={t('account:confirm')}
          dependencies={['newPassword']}
          required
          rules={[{ validator: checkConfirmation }]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
      </Form>
    </Modal>
  );
}
