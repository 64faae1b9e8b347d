import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call, sessionLogout } from '@/shared/api';
import { clearSession } from '@/shared/api/session';
import { beginFarewell, currentToken } from '@/shared/api/token';
import { useBusy } from '@/shared/lib/busy';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { paths } from '@/shared/pages/paths';

const FAREWELL_SECONDS = 2;
const REDIRECT_PAUSE = 1000;

/** Where the viewer came from to sign in; only web addresses are followed. */
function sourceAddress(): string | undefined {
  const address = local.get<string>(storeKeys.sourceUrl);
  return address && /^https?:\/\//.test(address) ? address : undefined;
}

/**
 * Asks, says "Exiting…" for two seconds, forgets the session even when the server can't be reached, and a second later
 * shows the sign-in page, or the one of the source that the viewer came from.
 */
export function useSignOut(): () => void {
  const { modal, message } = App.useApp();
  const { t } = useTranslation(['frame', 'common']);
  const navigate = useNavigate();
  const leave = async () => {
    const { begin, end } = useBusy.getState();
    begin();
    beginFarewell();
    const token = currentToken();
    const said = message.loading(t('frame:exiting'), FAREWELL_SECONDS);
    const ended = call(sessionLogout({ body: { token } })).catch(() => undefined);
    await Promise.all([said, ended]);
    const source = sourceAddress();
    clearSession();
    setTimeout(() => {
      end();
      if (source) window.location.assign(source);
      else navigate(paths.signIn());
    }, REDIRECT_PAUSE);
  };
  return () => {
    modal.confirm({
      title: t('frame:signOutConfirm'),
      okText: t('frame:signOut'),
      cancelText: t('common:action.cancel'),
      // The dialog closes at once: the farewell message says that it runs.
      onOk: () => void leave(),
    });
  };
}
