import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigationType } from 'react-router';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { type PageDefinition, titleIn } from '@/shared/pages/definition';
import { useHomePath } from '../home-path';
import { findPage, menuKeyOf } from '../match';
import { pages } from '../pages';
import { useGrantedKeys } from '../session';
import { useFrontTab, useTabStore } from '../tab-store';
import { useLeaveGuard } from './leave-guard';
import { NoAccessPage } from './no-access-page';
import { NotFoundPage } from './not-found-page';
import { PageView } from './page-view';

/** Opens a tab for the address, next to the viewer's home, which cannot be closed. */
function useTabOfLocation(page: PageDefinition | undefined): void {
  const { pathname, search } = useLocation();
  const open = useTabStore((store) => store.open);
  const home = useHomePath();
  const action = useNavigationType();
  const isHomeKnown = findPage(pages, home) !== undefined;
  useEffect(() => {
    const { tabs, front } = useTabStore.getState();
    const isOpen = tabs.some((tab) => tab.pathname === home);
    if (!isOpen && isHomeKnown && pathname !== home) {
      open({ pathname: home, search: '' }, true);
      useTabStore.setState({ front });
    }
    if (page) open({ pathname, search }, (page.affix ?? false) && pathname === home, action);
  }, [open, page, pathname, search, action, home, isHomeKnown]);
}

/** A page that puts another in its own place, like a form that was saved, gives up its tab. */
function useGivenUpTab(): void {
  const { pathname } = useLocation();
  const isReplaced = useNavigationType() === 'REPLACE';
  const before = useRef<{ pathname: string; key: string | undefined }>(undefined);
  useEffect(() => {
    const { pathname: left, key } = before.current ?? {};
    if (isReplaced && left !== pathname && key !== undefined) useTabStore.getState().close(key);
    const { tabs, front } = useTabStore.getState();
    before.current = {
      pathname,
      key: tabs.find((tab) => tab.key === front && tab.pathname === pathname)?.key,
    };
  });
}

/** A restored tab is rendered when it is first shown; a page that is not kept is rendered only while active. */
function useSeen(key: string | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  if (key !== undefined && !seen.has(key)) setSeen(new Set([...seen, key]));
  return seen;
}

function useWindowTitle(title: string | undefined): void {
  const { t } = useTranslation('frame');
  useEffect(() => {
    document.title = title ? `${title} - ${t('brand')}` : t('brand');
  }, [title, t]);
}

/** The route's info value, for code that reads it from the browser's storage. */
function useNodeInfoType(info: string | undefined): void {
  useEffect(() => {
    if (info === undefined) local.remove(storeKeys.nodeInfoType);
    else local.set(storeKeys.nodeInfoType, info);
  }, [info]);
}

/** What stands where no page can: the address is unknown, or not for this viewer. */
function Instead({ page, isGranted }: { page: PageDefinition | undefined; isGranted: boolean }) {
  if (page) return isGranted ? null : <NoAccessPage />;
  return <NotFoundPage />;
}

/** The open pages, all kept alive, one of them in front. */
export function PageViews() {
  const { t } = useTranslation('frame');
  const { pathname, search } = useLocation();
  const { tabs } = useTabStore();
  const granted = useGrantedKeys();
  const page = findPage(pages, pathname);
  const isGranted = page !== undefined && granted.includes(menuKeyOf(pages, page));
  const { title, untitled } = page ?? {};
  const current = useFrontTab();
  const seen = useSeen(current?.key);
  useTabOfLocation(isGranted ? page : undefined);
  useGivenUpTab();
  useLeaveGuard();
  useNodeInfoType(page?.info);
  useWindowTitle(untitled ? undefined : (current?.title ?? (title ? titleIn(title) : t('notFound.title'))));
  return (
    <>
      {tabs.map((tab) => {
        const isActive = tab.key === current?.key;
        const shown = findPage(pages, tab.pathname);
        if (!shown || !seen.has(tab.key) || (shown.noCache && !isActive)) return null;
        // The address leads: the tab store follows it a moment later.
        const place = isActive ? { ...tab, search } : tab;
        return <PageView key={tab.key} page={shown} tab={place} isActive={isActive} />;
      })}
      <Instead page={page} isGranted={isGranted} />
    </>
  );
}
