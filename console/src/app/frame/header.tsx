import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { AlertBell } from '@/features/alert/bell';
import { useSignedInUser } from '../session';
import { Breadcrumbs } from './breadcrumbs';
import { Finder } from './finder';
import { LanguageSwitch } from './language-switch';
import { HeadRegistration } from './registration-tag';
import { Toolset } from './toolset';
import { UserMenu } from './user-menu';

interface HeaderProps {
  collapsed: boolean;
  onCollapse: (collapsed: boolean) => void;
}

export function Header({ collapsed, onCollapse }: HeaderProps) {
  const { t } = useTranslation('frame');
  const user = useSignedInUser();
  return (
    <header className="frame-header">
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
        <HeadRegistration />
        <Finder />
        <AlertBell user={user} />
        <Toolset />
        <LanguageSwitch />
        <UserMenu />
      </div>
    </header>
  );
}
