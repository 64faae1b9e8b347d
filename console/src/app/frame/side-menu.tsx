import { ApartmentOutlined, HomeOutlined, UnorderedListOutlined } from '@ant-design/icons';
import { Layout, Menu, type MenuProps } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { MenuKey } from '@/shared/pages/definition';
import { findPage } from '../match';
import { grantedMenu, type MenuItem, menuCatalogue, parentOf } from '../menu';
import { pages } from '../pages';
import { useGrantedMenu } from '../session';
import { Deployment } from './deployment';

const WIDTH = 205;
const COLLAPSED_WIDTH = 56;

const icons: Record<MenuKey, ReactNode> = {
  home: <HomeOutlined />,
  'sync-link': <ApartmentOutlined />,
  'sync-task': <UnorderedListOutlined />,
};

type KitItem = NonNullable<MenuProps['items']>[number];

/** The entry of the page in front; a page without one keeps the last entry marked. */
function useSelected(): MenuKey | undefined {
  const page = findPage(pages, useLocation().pathname);
  const selected = page?.menu;
  useEffect(() => {
    if (selected) local.set(storeKeys.menuLast, selected);
  }, [selected]);
  return selected ?? local.get<MenuKey>(storeKeys.menuLast);
}

export function SideMenu({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation(['frame', 'menu']);
  const navigate = useNavigate();
  const menu = useGrantedMenu();
  const selected = useSelected();
  const [opened, setOpened] = useState(() => (selected ? parentOf(menuCatalogue, selected) : undefined));
  const toItem = (item: MenuItem): KitItem => ({
    key: item.key,
    icon: icons[item.key],
    label: t(`menu:${item.key}`),
    ...(item.children ? { children: item.children.map(toItem) } : {}),
  });
  return (
    <Layout.Sider
      width={WIDTH}
      collapsedWidth={COLLAPSED_WIDTH}
      collapsed={collapsed}
      theme="light"
      className="frame-side"
    >
      <div className="frame-brand">
        <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={24} height={24} />
        {!collapsed && <span>{t('frame:shortBrand')}</span>}
      </div>
      <nav aria-label={t('frame:menu')} className="frame-nav">
        <Menu
          mode="inline"
          items={grantedMenu(menuCatalogue, menu.data ?? []).map(toItem)}
          selectedKeys={selected ? [selected] : []}
          openKeys={collapsed || !opened ? undefined : [opened]}
          onOpenChange={(keys) => setOpened(keys.at(-1) as MenuKey | undefined)}
          onClick={({ key }) => navigate(`/${key}`)}
        />
      </nav>
      {!collapsed && <Deployment />}
    </Layout.Sider>
  );
}
