import { Layout, Menu, type MenuProps } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import type { MenuKey } from '@/shared/pages/menu-keys';
import { useHomePath } from '../home-path';
import { findPage } from '../match';
import { grantedMenu, type MenuItem, parentOf } from '../menu';
import { pages } from '../pages';
import { useGrantedMenu } from '../session';
import { Deployment } from './deployment';
import { menuIcons } from './menu-icons';

const WIDTH = 205;
const COLLAPSED_WIDTH = 56;

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

/** One submenu is open at a time: the one of the page in front, until another is opened. */
function useOpened(selected: MenuKey | undefined) {
  const [opened, setOpened] = useState<string | undefined>();
  const [follows, setFollows] = useState<MenuKey>();
  if (selected && selected !== follows) {
    setFollows(selected);
    setOpened(parentOf(selected));
  }
  return [opened, setOpened] as const;
}

function isBuilt(key: MenuKey): boolean {
  return findPage(pages, `/${key}`) !== undefined;
}

export function SideMenu({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation(['frame', 'menu']);
  const navigate = useNavigate();
  const menu = useGrantedMenu();
  const home = useHomePath();
  const selected = useSelected();
  const [opened, setOpened] = useOpened(selected);
  const openKeys = opened ? [opened] : [];
  const toItem = (item: MenuItem): KitItem => ({
    key: item.key,
    icon: menuIcons[item.key],
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
          items={grantedMenu(menu.data ?? [], isBuilt).map(toItem)}
          selectedKeys={selected ? [selected] : []}
          // A collapsed menu opens its submenus beside it, by itself.
          openKeys={collapsed ? undefined : openKeys}
          onOpenChange={(keys) => setOpened(keys.at(-1))}
          onClick={({ key }) => navigate(key === 'home' ? home : `/${key}`)}
        />
      </nav>
      {!collapsed && <Deployment />}
    </Layout.Sider>
  );
}
