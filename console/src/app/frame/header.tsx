import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button, Layout } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedInUser } from '../session';
import { Breadcrumbs } from './breadcrumbs';
import { LanguageSwitch } from './language-switch';
import { RegistrationTag } from './registration-tag';
import { Toolset } from './toolset';
import { UserMenu } from './user-menu';

const AlertBell = lazy(() => import('@/features/alert/bell'));

interface HeaderProps {
  collapsed: boolean;
  onCollapse: (collapsed: boolean) => void;
}

export function Header({ collapsed, onCollapse }: HeaderProps) {
  const { t } = useTranslation('frame');
  const user = useSignedInUser();
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
        <RegistrationTag />
        <Suspense fallback={null}>
          <AlertBell user={user} />
        </Suspense>
        <Toolset />
        <LanguageSwitch />
        <UserMenu />
      </div>
    </Layout.Header>
  );
}
