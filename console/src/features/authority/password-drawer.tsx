import { useTranslation } from 'react-i18next';
import { call, type UserListRecord, userResetPassword } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { PasswordField } from './password-field';

interface Props {
  user: UserListRecord;
  onClose: () => void;
}

/** Sets another password for a user who lost it; it must be changed at the next sign-in. */
export default function PasswordDrawer({ user, onClose }: Props) {
  const { t } = useTranslation('authority');
  const save = async ({ password }: { password: string }) => {
    await call(userResetPassword({ body: { userId: user.userId, password } }));
    notify('success', t('user.passwordReset', { name: user.userName }));
  };
  return (
    <FormDrawer
      title={t('user.resetTitle', { name: user.userName })}
      open
      asked="modify"
      onSubmit={save}
      onClose={onClose}
    >
      <PasswordField hint="user.resetHint" />
    </FormDrawer>
  );
}
