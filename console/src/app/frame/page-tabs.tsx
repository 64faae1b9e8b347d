import { CloseOutlined, DownOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { titleIn } from '@/shared/pages/definition';
import { useHomePath } from '../home-path';
import { findPage } from '../match';
import { pages } from '../pages';
import { useFrontKey, useFrontTab, useTabStore } from '../tab-store';
import { address, neighbour, type Tab } from '../tabs';
import { useTabClosing } from './leave-guard';

function useTabActions() {
  const { tabs, close, closeOthers, closeAll } = useTabStore();
  // Where the viewer is, though the page before may still be drawn: what is closed is seen from there.
  const frontKey = useFrontKey();
  const navigate = useNavigate();
  const home = useHomePath();
  const closing = useTabClosing(titleOf);
  const closable = tabs.filter((tab) => !tab.affix);
  const goTo = (tab: Tab | undefined) => navigate(tab ? address(tab) : home);
  return {
    show: goTo,
    close(tab: Tab) {
      if (tab.affix) return;
      closing([tab], () => {
        if (tab.key === frontKey()) goTo(neighbour(tabs, tab.key));
        close(tab.key);
      });
    },
    closeOthers(tab: Tab) {
      closing(
        closable.filter(({ key }) => key !== tab.key),
        () => {
          if (tab.key !== frontKey()) goTo(tab);
          closeOthers(tab.key);
        },
      );
    },
    closeAll() {
      closing(closable, () => {
        if (!tabs.find((tab) => tab.key === frontKey())?.affix) goTo(tabs.find((tab) => tab.affix));
        closeAll();
      });
    },
  };
}

type TabActions = ReturnType<typeof useTabActions>;

function titleOf(tab: Tab): string {
  const page = findPage(pages, tab.pathname);
  return tab.title ?? (page ? titleIn(page.title) : tab.pathname);
}

function useTabMenu(actions: TabActions) {
  const { t } = useTranslation('frame');
  return (tab: Tab) => ({
    items: [
      { key: 'close', label: t('tab.close'), disabled: tab.affix, onClick: () => actions.close(tab) },
      { key: 'others', label: t('tab.closeOthers'), onClick: () => actions.closeOthers(tab) },
      { key: 'all', label: t('tab.closeAll'), onClick: actions.closeAll },
    ],
  });
}

/** Arrows move along the open pages, Delete closes the one that has the focus. */
function onTabKey(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const tab = event.currentTarget.closest('.frame-tab');
  const titleIn = (place: Element | null | undefined) =>
    place?.querySelector<HTMLElement>('.frame-tab-title') ?? undefined;
  const next = { ArrowLeft: tab?.previousElementSibling, ArrowRight: tab?.nextElementSibling }[event.key];
  titleIn(next)?.focus();
  if (event.key !== 'Delete') return;
  (titleIn(tab?.previousElementSibling) ?? titleIn(tab?.nextElementSibling))?.focus();
  close();
}

interface PageTabProps {
  tab: Tab;
  isActive: boolean;
  actions: TabActions;
}

function PageTab({ tab, isActive, actions }: PageTabProps) {
  const { t } = useTranslation('frame');
  const title = titleOf(tab);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) button.current?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="frame-tab-title"
        title={title}
        aria-current={isActive ? 'page' : undefined}
        aria-keyshortcuts={tab.affix ? undefined : 'Delete'}
        onClick={() => actions.show(tab)}
        onAuxClick={(event) => event.button === 1 && actions.close(tab)}
        onKeyDown={(event) => onTabKey(event, () => actions.close(tab))}
      >
        {title}
      </button>
      {!tab.affix && (
        <Button
          type="text"
          className="frame-tab-close"
          icon={<CloseOutlined />}
          aria-label={t('tab.closeNamed', { title })}
          onClick={() => actions.close(tab)}
        />
      )}
    </>
  );
}

/** The open pages. Middle click closes; the context menu, or the button at the end, closes others or all. */
export function PageTabs() {
  const { t } = useTranslation('frame');
  const { tabs } = useTabStore();
  const current = useFrontTab();
  const actions = useTabActions();
  const menuOf = useTabMenu(actions);
  return (
    <nav className="frame-tabs" aria-label={t('tab.label')}>
      <div className="frame-tabs-open">
        {tabs.map((tab) => (
          <Dropdown key={tab.key} trigger={['contextMenu']} menu={menuOf(tab)}>
            <div className="frame-tab" data-active={tab.key === current?.key}>
              <PageTab tab={tab} isActive={tab.key === current?.key} actions={actions} />
            </div>
          </Dropdown>
        ))}
      </div>
      {current && (
        <Dropdown trigger={['click']} menu={menuOf(current)} autoFocus>
          <Button type="text" icon={<DownOutlined />} aria-label={t('tab.actions')} />
        </Dropdown>
      )}
    </nav>
  );
}
