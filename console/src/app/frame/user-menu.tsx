import { DownOutlined, UserOutlined } from '@ant-design/icons';
import { Button, Dropdown, type MenuProps } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAvatar } from '@/shared/hooks/use-avatar';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { useSignedInUser } from '../session';
import { useSignOut } from './sign-out';

const ChangePasswordDialog = lazy(() => import('@/features/account/change-password-dialog'));
const PersonalInfoDialog = lazy(() => import('@/features/account/personal-info-dialog'));
const SecondFactorDialog = lazy(() => import('@/features/account/second-factor-dialog'));
const SessionsDialog = lazy(() => import('@/features/account/sessions-dialog'));
const SettingsDrawer = lazy(() => import('./settings-drawer'));
const Usage = lazy(() => import('./usage'));

type Items = NonNullable<MenuProps['items']>;

/** Who signed in without a login of this console cannot sign out of it either. */
function isLoginFree(): boolean {
  return local.get<boolean>(storeKeys.loginFree) === true;
}

/** The viewer's own account, and how much of the installation is used. */
export function UserMenu() {
  const { t } = useTranslation('frame');
  const user = useSignedInUser();
  const avatar = useAvatar();
  const [open, setOpen] = useState<'personal' | 'password' | 'secondFactor' | 'sessions' | 'settings'>();
  const close = () => setOpen(undefined);
  const signOut = useSignOut();
  const leaving: Items = [{ type: 'divider' }, { key: 'signOut', label: t('signOut'), onClick: signOut }];
  const items: Items = [
    { key: 'personal', label: t('personalInfo'), onClick: () => setOpen('personal') },
    { key: 'password', label: t('changePassword'), onClick: () => setOpen('password') },
    { key: 'secondFactor', label: t('secondFactor'), onClick: () => setOpen('secondFactor') },
    { key: 'sessions', label: t('sessions'), onClick: () => setOpen('sessions') },
    { key: 'settings', label: t('settings.title'), onClick: () => setOpen('settings') },
    ...(isLoginFree() ? [] : leaving),
  ];
  return (
    <>
      <Dropdown
        trigger={['click']}
        autoFocus
        menu={{ items }}
        popupRender={(menu) => (
          <section className="frame-user-popup" aria-label={t('userMenu')}>
            {menu}
            <Suspense fallback={null}>
              <Usage />
            </Suspense>
          </section>
        )}
      >
        <Button
          type="text"
          size="middle"
          icon={avatar ? <img className="frame-avatar" src={avatar} alt="" /> : <UserOutlined />}
          aria-label={t('userMenu')}
        >
          {user?.nickName || user?.userName}
          <DownOutlined className="frame-caret" />
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {open === 'password' && <ChangePasswordDialog onClose={close} />}
        {open === 'secondFactor' && <SecondFactorDialog onClose={close} />}
        {open === 'settings' && <SettingsDrawer onClose={close} />}
        {open === 'sessions' && <SessionsDialog onClose={close} />}
        {open === 'personal' && user && <PersonalInfoDialog userId={user.userId} onClose={close} />}
      </Suspense>
    </>
  );
}
