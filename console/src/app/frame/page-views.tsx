import i18n from 'i18next';
import { type LazyExoticComponent, lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Routes, useLocation } from 'react-router';
import type { PageDefinition } from '@/shared/pages/definition';
import { PageContext } from '@/shared/pages/page-context';
import { ErrorBoundary } from '@/shared/ui/error-boundary';
import { LoadingState } from '@/shared/ui/loading-state';
import { findPage } from '../match';
import { pages } from '../pages';
import { useGrantedMenu } from '../session';
import { useTabStore } from '../tab-store';
import { address, type Tab } from '../tabs';
import { NoAccessPage } from './no-access-page';
import { NotFoundPage } from './not-found-page';

const components = new Map<PageDefinition, LazyExoticComponent<React.ComponentType>>();

async function load(page: PageDefinition) {
  const [module] = await Promise.all([page.load(), i18n.loadNamespaces(page.messages)]);
  return module;
}

function componentOf(page: PageDefinition) {
  const known = components.get(page) ?? lazy(() => load(page));
  components.set(page, known);
  return known;
}

/** Opens a tab for the place in the address, beside those that cannot be closed. */
function useTabOfLocation(page: PageDefinition | undefined): void {
  const { pathname, search } = useLocation();
  const open = useTabStore((store) => store.open);
  useEffect(() => {
    for (const affixed of pages.filter((candidate) => candidate.affix && candidate.path !== pathname)) {
      const isOpen = useTabStore.getState().tabs.some((tab) => tab.pathname === affixed.path);
      if (!isOpen) open({ pathname: affixed.path, search: '' }, true);
    }
    if (page) open({ pathname, search }, page.affix ?? false);
  }, [open, page, pathname, search]);
}

function PageView({ page, tab, isActive }: { page: PageDefinition; tab: Tab; isActive: boolean }) {
  const Page = componentOf(page);
  const rename = useTabStore((store) => store.rename);
  const setTitle = useCallback((title: string | undefined) => rename(tab.key, title), [rename, tab.key]);
  const state = useMemo(() => ({ isActive, setTitle }), [isActive, setTitle]);
  return (
    <div hidden={!isActive} className="frame-page">
      <PageContext value={state}>
        <ErrorBoundary>
          <Suspense fallback={<LoadingState />}>
            <Routes location={address(tab)}>
              <Route path={page.path} element={<Page />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </PageContext>
    </div>
  );
}

/** A restored tab is drawn when it is first looked at; a page that is not kept is drawn only while in front. */
function useSeen(pathname: string): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set([pathname]));
  if (!seen.has(pathname)) setSeen(new Set([...seen, pathname]));
  return seen;
}

function useWindowTitle(title: string): void {
  const { t } = useTranslation('frame');
  useEffect(() => {
    document.title = `${title} - ${t('brand')}`;
  }, [title, t]);
}

/** The open pages, all kept alive, one of them in front. */
export function PageViews() {
  const { t } = useTranslation(['menu', 'frame']);
  const { pathname, search } = useLocation();
  const { tabs } = useTabStore();
  const granted = useGrantedMenu().data ?? [];
  const page = findPage(pages, pathname);
  const isGranted = page !== undefined && granted.includes(page.menu);
  const seen = useSeen(pathname);
  const current = tabs.find((tab) => tab.key === pathname);
  useTabOfLocation(isGranted ? page : undefined);
  useWindowTitle(current?.title ?? (page ? t(`menu:${page.title}`) : t('frame:notFound.title')));
  return (
    <>
      {tabs.map((tab) => {
        const isActive = tab.key === pathname;
        const shown = findPage(pages, tab.pathname);
        if (!shown || !seen.has(tab.key) || (shown.noCache && !isActive)) return null;
        // The address leads: the tab store follows it a moment later.
        const place = isActive ? { ...tab, search } : tab;
        return <PageView key={tab.key} page={shown} tab={place} isActive={isActive} />;
      })}
      {!page && <NotFoundPage />}
      {page && !isGranted && <NoAccessPage />}
    </>
  );
}
