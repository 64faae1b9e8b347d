import {
  DownOutlined,
  GlobalOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, Layout } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale, type Locale, switchLocale } from '@/shared/i18n/locale';
import { useSignedInUser } from '../session';
import { Breadcrumbs } from './breadcrumbs';
import { useSignOut } from './sign-out';

const AlertBell = lazy(() => import('@/features/alert/bell'));
const ChangePasswordDialog = lazy(() => import('@/features/account/change-password-dialog'));

function LanguageSwitch() {
  const { t } = useTranslation('frame');
  const locale = currentLocale();
  const items = (['zh', 'en'] as const).map((key) => ({ key, label: t(`language.${key}`) }));
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items,
        selectedKeys: [locale],
        onClick: ({ key }) => key !== locale && switchLocale(key as Locale),
      }}
    >
      <Button type="text" size="middle" icon={<GlobalOutlined />} aria-label={t('switchLanguage')}>
        {t(`language.${locale}`)}
      </Button>
    </Dropdown>
  );
}

function UserMenu() {
  const { t } = useTranslation('frame');
  const user = useSignedInUser();
  const [isChanging, setChanging] = useState(false);
  const signOut = useSignOut();
  const items = [
    { key: 'password', label: t('changePassword'), onClick: () => setChanging(true) },
    { type: 'divider' as const },
    { key: 'signOut', label: t('signOut'), onClick: signOut },
  ];
  return (
    <>
      <Dropdown trigger={['click']} menu={{ items }}>
        <Button type="text" size="middle" icon={<UserOutlined />} aria-label={t('userMenu')}>
          {user?.nickName || user?.userName}
          <DownOutlined className="frame-caret" />
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {isChanging && <ChangePasswordDialog onClose={() => setChanging(false)} />}
      </Suspense>
    </>
  );
}

interface HeaderProps {
  collapsed: boolean;
  onCollapse: (collapsed: boolean) => void;
}

export function Header({ collapsed, onCollapse }: HeaderProps) {
  const { t } = useTranslation('frame');
  return (
    <Layout.Header className="frame-header">
      <Button
        type="text"
        size="middle"
        icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={t(collapsed ? 'unfold' : 'fold')}
        aria-expanded={!collapsed}
        onClick={() => onCollapse(!collapsed)}
      />
      <Breadcrumbs />
      <div className="frame-header-end">
        <Suspense fallback={null}>
          <AlertBell />
        </Suspense>
        <LanguageSwitch />
        <UserMenu />
      </div>
    </Layout.Header>
  );
}
