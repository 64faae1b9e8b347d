import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { signInMethods } from './methods';

/** Links to the identity providers that this platform is set up for. */
export function OtherWays({ redirect }: { redirect: string | null }) {
  const { t } = useTranslation('sign-in');
  const { data } = useQuery(signInMethods);
  if (!data?.thirdParty && !data?.serviceTicket) return null;
  return (
    <nav className="sign-in-other" aria-label={t('otherWays')}>
      {data.thirdParty && (
        <Link to={paths.thirdPartySignIn(redirect)}>{t('with', { name: data.thirdParty })}</Link>
      )}
      {data.serviceTicket && <Link to={paths.serviceSignIn(redirect)}>{t('withService')}</Link>}
    </nav>
  );
}
