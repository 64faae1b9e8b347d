import { CloseOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { findPage } from '../match';
import { pages } from '../pages';
import { useTabStore } from '../tab-store';
import { address, neighbour, type Tab } from '../tabs';

function useTabActions() {
  const { tabs, close, closeOthers, closeAll } = useTabStore();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const goTo = (tab: Tab | undefined) => navigate(tab ? address(tab) : paths.home());
  return {
    show: goTo,
    close(tab: Tab) {
      if (tab.key === pathname) goTo(neighbour(tabs, tab.key));
      close(tab.key);
    },
    closeOthers(tab: Tab) {
      if (tab.key !== pathname) goTo(tab);
      closeOthers(tab.key);
    },
    closeAll() {
      if (!tabs.find((tab) => tab.key === pathname)?.affix) goTo(tabs.find((tab) => tab.affix));
      closeAll();
    },
  };
}

function useTabTitle() {
  const { t } = useTranslation('menu');
  return (tab: Tab) => {
    const page = findPage(pages, tab.pathname);
    return tab.title ?? (page ? t(page.title) : tab.pathname);
  };
}

/** The open pages. Middle click closes, the context menu closes others or all. */
export function PageTabs() {
  const { t } = useTranslation('frame');
  const { tabs } = useTabStore();
  const { pathname } = useLocation();
  const titleOf = useTabTitle();
  const actions = useTabActions();
  const menuOf = (tab: Tab) => [
    { key: 'close', label: t('tab.close'), disabled: tab.affix, onClick: () => actions.close(tab) },
    { key: 'others', label: t('tab.closeOthers'), onClick: () => actions.closeOthers(tab) },
    { key: 'all', label: t('tab.closeAll'), onClick: actions.closeAll },
  ];
  return (
    <nav className="frame-tabs" aria-label={t('tab.label')}>
      {tabs.map((tab) => (
        <Dropdown key={tab.key} trigger={['contextMenu']} menu={{ items: menuOf(tab) }}>
          <div className="frame-tab" data-active={tab.key === pathname}>
            <button
              type="button"
              className="frame-tab-title"
              title={titleOf(tab)}
              aria-current={tab.key === pathname ? 'page' : undefined}
              onClick={() => actions.show(tab)}
              onAuxClick={(event) => event.button === 1 && !tab.affix && actions.close(tab)}
            >
              {titleOf(tab)}
            </button>
            {!tab.affix && (
              <Button
                type="text"
                className="frame-tab-close"
                icon={<CloseOutlined />}
                aria-label={t('tab.closeNamed', { title: titleOf(tab) })}
                onClick={() => actions.close(tab)}
              />
            )}
          </div>
        </Dropdown>
      ))}
    </nav>
  );
}
