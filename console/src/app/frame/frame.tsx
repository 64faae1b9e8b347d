import { App, ConfigProvider } from 'antd';
import { Suspense, useEffect, useMemo, useRef } from 'react';
import { useLiveEvents } from '@/shared/live/use-live-events';
import { useConsoleSettings } from '@/shared/settings/console-settings';
import { useShownTheme } from '@/shared/theme/use-theme';
import { CallProgressHost } from '@/shared/widgets/call-progress';
import { DeleteConfirmHost } from '@/shared/widgets/delete-confirm';
import { kitTheme } from '../theme';
import { useCollapsed } from './collapsed';
import { Footer } from './footer';
import { Header } from './header';
import { keepFocus } from './kept-focus';
import { useKitLocale } from './kit-locale';
import { LoadingMask } from './loading-mask';
import { MenuGate } from './menu-gate';
import { NoticeBoard } from './notice-board';
import { PageTabs } from './page-tabs';
import { PageViews } from './page-views';
import { RegistrationNotice } from './registration-tag';
import { SideMenu } from './side-menu';
import './frame.css';

export { fetchAhead } from './ahead';

// The kit would write a blank between two Chinese characters on a button.
const plainButtons = { autoInsertSpace: false };

// At the top right they would lie over the buttons of pages and drawers; under the pointer they would even stay there.
const notices = { placement: 'bottomLeft' } as const;

/** Everything around the pages of a signed-in viewer: menu, head, tabs, and the open pages themselves. */
export default function Frame() {
  useLiveEvents();
  const locale = useKitLocale();
  const shown = useShownTheme();
  const kit = useMemo(() => kitTheme(shown), [shown]);
  const { tagsView, fixedHeader, showFooter } = useConsoleSettings();
  const [collapsed, setCollapsed] = useCollapsed();
  const pages = useRef<HTMLElement>(null);
  useEffect(() => keepFocus(() => pages.current), []);
  return (
    <ConfigProvider theme={kit} locale={locale} componentSize="small" button={plainButtons}>
      <App className="frame-app" notification={notices}>
        <NoticeBoard />
        <DeleteConfirmHost />
        <CallProgressHost />
        <LoadingMask />
        <div className="frame">
          <SideMenu collapsed={collapsed} />
          <div className="frame-body" data-fixed-header={fixedHeader}>
            <Header collapsed={collapsed} onCollapse={setCollapsed} />
            <RegistrationNotice />
            <MenuGate>
              {tagsView && <PageTabs />}
              <main className="frame-pages" ref={pages} tabIndex={-1}>
                <Suspense fallback={null}>
                  <PageViews />
                </Suspense>
              </main>
            </MenuGate>
            {showFooter && <Footer />}
          </div>
        </div>
      </App>
    </ConfigProvider>
  );
}
