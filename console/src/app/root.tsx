import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, UNSAFE_createBrowserHistory, useLocation, useNavigate } from 'react-router';
import type { UserRecord } from '@/shared/api';
import { sessionEvents } from '@/shared/api/session';
import { currentToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { GuardedHistory } from '@/shared/pages/guarded-history';
import { paths, wayOf } from '@/shared/pages/paths';
import { RoutedPages } from '@/shared/pages/router';
import { forgetUnsaved } from '@/shared/pages/unsaved';
import { redirection } from './guard';
import { homePathOf } from './home-path';
import { queryClient } from './query-client';

const SignInPage = lazy(() => import('@/features/sign-in/sign-in-page'));
const ResetPasswordPage = lazy(() => import('@/features/sign-in/reset-password-page'));
const ThirdPartyPage = lazy(() => import('@/features/sign-in/third-party-page'));
const ServicePage = lazy(() => import('@/features/sign-in/service-page'));
const SamlPage = lazy(() => import('@/features/sign-in/saml-page'));
const DownloadPage = lazy(() => import('@/features/download/download-page'));
const loadFrame = () => import('./frame/frame');
const Frame = lazy(loadFrame);

const bare: Record<string, typeof SignInPage> = {
  '/login': SignInPage,
  '/reset-password': ResetPasswordPage,
  '/thirdpart-sign-in': ThirdPartyPage,
  '/servicepart-sign-in': ServicePage,
  '/saml-sign-in': SamlPage,
  '/download-page': DownloadPage,
};

const BASE_PATH = '/zcbus';

function usePasswordDemand(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const go = () => navigate(paths.resetPassword(wayOf(new URLSearchParams(window.location.search))));
    sessionEvents.addEventListener('demand', go);
    return () => sessionEvents.removeEventListener('demand', go);
  }, [navigate]);
}

function Guarded() {
  usePasswordDemand();
  const { pathname, search, hash } = useLocation();
  const isSignedIn = currentToken() !== undefined;
  const home = homePathOf(local.get<UserRecord>(storeKeys.user));
  const elsewhere = redirection(pathname, pathname + search + hash, isSignedIn, home);
  if (elsewhere) return <Navigate to={elsewhere} replace />;
  const Page = bare[pathname] ?? Frame;
  return (
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  );
}

/** Begins to fetch the frame and what the page in the address will ask for; drawing them comes later. */
export function fetchFrame(): void {
  const path = window.location.pathname.slice(BASE_PATH.length) || '/';
  // Drawing says what went wrong.
  loadFrame().then(
    ({ fetchAhead }) => fetchAhead(queryClient, redirection(path, path, true) ?? path),
    () => undefined,
  );
}

sessionEvents.addEventListener('ended', () => {
  queryClient.clear();
  forgetUnsaved();
});

sessionEvents.addEventListener('demand', () => forgetUnsaved());

const history = new GuardedHistory(UNSAFE_createBrowserHistory({ v5Compat: true }), BASE_PATH);

export function Root() {
  return (
    <QueryClientProvider client={queryClient}>
      <RoutedPages history={history}>
        <Guarded />
      </RoutedPages>
    </QueryClientProvider>
  );
}
