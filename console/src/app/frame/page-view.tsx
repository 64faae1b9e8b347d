import {
  type LazyExoticComponent,
  lazy,
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { Route, Routes } from 'react-router';
import type { PageDefinition } from '@/shared/pages/definition';
import { PageContext, type PageTag } from '@/shared/pages/page-context';
import { ErrorBoundary } from '@/shared/ui/error-boundary';
import { LoadingState } from '@/shared/ui/loading-state';
import { loadPage } from '../page-loader';
import { useTabStore } from '../tab-store';
import { address, type Tab } from '../tabs';
import { BackToTop, useScrolledFar } from './back-to-top';

const components = new Map<PageDefinition, LazyExoticComponent<React.ComponentType>>();

function componentOf(page: PageDefinition) {
  const known = components.get(page) ?? lazy(() => loadPage(page));
  components.set(page, known);
  return known;
}

/** Brings the page back to where it was scrolled: an element that is not drawn forgets it in some browsers. */
function useKeptScroll(isActive: boolean) {
  const area = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  useLayoutEffect(() => {
    const element = area.current;
    if (!isActive || !element) return;
    // Setting it lays the page out at once, which a page that is new, and so at its top, need not wait for.
    if (top.current > 0) element.scrollTop = top.current;
    const note = () => {
      if (!element.hidden) top.current = element.scrollTop;
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => element.removeEventListener('scroll', note);
  }, [isActive]);
  return area;
}

/** One open page, kept alive while others are in front. */
export function PageView({ page, tab, isActive }: { page: PageDefinition; tab: Tab; isActive: boolean }) {
  const Page = componentOf(page);
  const rename = useTabStore((store) => store.rename);
  const setTitle = useCallback((title: string | undefined) => rename(tab.key, title), [rename, tab.key]);
  const mark = useTabStore((store) => store.mark);
  const setTag = useCallback((tag: PageTag | undefined) => mark(tab.key, tag), [mark, tab.key]);
  const state = useMemo(
    () => ({ key: tab.key, isActive, setTitle, setTag }),
    [tab.key, isActive, setTitle, setTag],
  );
  const area = useKeptScroll(isActive);
  const { scrolled, onScroll } = useScrolledFar();
  return (
    <div hidden={!isActive} className="frame-page" ref={area} onScrollCapture={onScroll}>
      <PageContext value={state}>
        <ErrorBoundary>
          <Suspense fallback={<LoadingState />}>
            <Routes location={address(tab)}>
              <Route path={page.path} element={<Page />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </PageContext>
      <BackToTop scrolled={scrolled} />
    </div>
  );
}
