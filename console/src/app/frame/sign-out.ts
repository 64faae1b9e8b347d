import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call, sessionLogout } from '@/shared/api';
import { clearSession } from '@/shared/api/session';
import { beginFarewell, currentToken } from '@/shared/api/token';
import { paths } from '@/shared/pages/paths';

const FAREWELL_SECONDS = 2;
const REDIRECT_PAUSE = 1000;

/** Asks, says "Exiting…" for two seconds, forgets the session even when the server can't be told, then shows the sign-in page. */
export function useSignOut(): () => void {
  const { modal, message } = App.useApp();
  const { t } = useTranslation(['frame', 'common']);
  const navigate = useNavigate();
  const leave = async () => {
    message.loading(t('frame:exiting'), FAREWELL_SECONDS);
    beginFarewell();
    const token = currentToken();
    await call(sessionLogout({ body: { token } })).catch(() => undefined);
    setTimeout(() => {
      clearSession();
      navigate(paths.signIn());
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
