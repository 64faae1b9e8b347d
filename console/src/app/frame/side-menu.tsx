import { Menu, type MenuProps } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useGrantedMenu } from '@/shared/hooks/granted-menu';
import { useSystemConfig } from '@/shared/hooks/use-system-config';
import { currentLocale } from '@/shared/i18n/locale';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { useConsoleSettings } from '@/shared/settings/console-settings';
import { useHomePath } from '../home-path';
import { findPage, menuKeyOf } from '../match';
import { groupOf, type MenuItem, shownMenu } from '../menu';
import { menuEntries } from '../menu-entries';
import { pages } from '../pages';
import { Deployment } from './deployment';

/** Pixels to each level: so little that an entry of two long words fits on the second. */
const INDENT = 20;

const MARKED = '.ant-menu-item-selected';

type KitItem = NonNullable<MenuProps['items']>[number];

/** The entry of the page in front; a path without a page keeps the last entry marked. */
function useSelected(): string | undefined {
  const page = findPage(pages, useLocation().pathname);
  const selected = page && !page.offMenu ? menuKeyOf(pages, page) : undefined;
  useEffect(() => {
    if (selected) local.set(storeKeys.menuLast, selected);
  }, [selected]);
  return page ? selected : local.get<string>(storeKeys.menuLast);
}

/**
 * The submenus that are open: the one of the page in front, and those that were opened since. Where one is open at a
 * time, each takes the place of the one before.
 */
function useOpened(group: string | undefined, isOne: boolean) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [follows, setFollows] = useState<string | undefined>();
  if (group !== follows) {
    setFollows(group);
    if (group !== undefined) setOpened([...opened.filter((key) => key !== group), group]);
    else if (isOne) setOpened([]);
  }
  return [isOne ? opened.slice(-1) : opened, setOpened] as const;
}

/** The menu, scrolled to the marked entry once there is another one; its submenu takes a moment to open. */
function useMarkedInSight(selected: string | undefined, isKnown: boolean) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = nav.current;
    const menu = box?.firstElementChild;
    if (!isKnown || !selected || !box || !menu) return;
    const show = () => menu.querySelector(MARKED)?.scrollIntoView({ block: 'nearest' });
    const growth = new ResizeObserver(show);
    const stop = () => growth.disconnect();
    // It begins with the size that they have; what is below the menu comes later and takes room from it.
    growth.observe(menu);
    growth.observe(box);
    // From now on it is the viewer who opens submenus and scrolls.
    const acts = ['pointerdown', 'keydown', 'wheel'];
    for (const act of acts) menu.addEventListener(act, stop, { passive: true });
    return () => {
      stop();
      for (const act of acts) menu.removeEventListener(act, stop);
    };
  }, [selected, isKnown]);
  return nav;
}

function isBuilt(key: string): boolean {
  return findPage(pages, `/${key}`) !== undefined;
}

function iconOf(entry: string) {
  const menu = findPage(pages, `/${entry}`)?.menu ?? menuEntries.find(({ key }) => key === entry);
  const Icon = typeof menu === 'object' ? menu.icon : undefined;
  return Icon && <Icon />;
}

/** Picture and name above the menu; the system's configuration may have others than the product's. */
function Brand({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation('frame');
  const { homeLogo, homeHeaderText } = useSystemConfig() ?? {};
  return (
    <div className="frame-brand">
      <img src={homeLogo || `${import.meta.env.BASE_URL}favicon.svg`} alt="" width={24} height={24} />
      {!collapsed && <span>{homeHeaderText || t('shortBrand')}</span>}
    </div>
  );
}

export function SideMenu({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation('frame');
  const navigate = useNavigate();
  const granted = useGrantedMenu().data;
  const menu = granted ?? [];
  const home = useHomePath();
  const selected = useSelected();
  const { sidebarLogo, uniqueOpened } = useConsoleSettings();
  const [openKeys, setOpenKeys] = useOpened(selected && groupOf(menu, selected)?.menuKey, uniqueOpened);
  const nav = useMarkedInSight(selected, granted !== undefined);
  const toItem = (item: MenuItem): KitItem => ({
    key: item.key,
    icon: iconOf(item.key),
    label: item.title,
    ...(item.children ? { children: item.children.map(toItem) } : {}),
  });
  return (
    <aside className="frame-side" data-collapsed={collapsed}>
      {sidebarLogo && <Brand collapsed={collapsed} />}
      <nav ref={nav} aria-label={t('menu')} className="frame-nav">
        <Menu
          mode="inline"
          inlineIndent={INDENT}
          inlineCollapsed={collapsed}
          items={shownMenu(menu, currentLocale(), isBuilt).map(toItem)}
          selectedKeys={selected ? [selected] : []}
          // A collapsed menu opens its submenus at its side by itself.
          openKeys={collapsed ? undefined : [...openKeys]}
          onOpenChange={setOpenKeys}
          onClick={({ key }) => navigate(key === 'home' ? home : `/${key}`)}
        />
      </nav>
      {!collapsed && <Deployment />}
    </aside>
  );
}
