import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { signInMethods } from '@/shared/api/sign-in-methods';
import { paths, type Way } from '@/shared/pages/paths';

/** Links to the identity providers that this platform is set up for. */
export function OtherWays({ way }: { way: Way }) {
  const { t } = useTranslation('sign-in');
  const { data } = useQuery(signInMethods);
  if (!data?.thirdParty && !data?.saml && !data?.serviceTicket) return null;
  return (
    <nav className="sign-in-other" aria-label={t('otherWays')}>
      {data.thirdParty && (
        <Link to={paths.thirdPartySignIn(way)}>{t('with', { name: data.thirdParty })}</Link>
      )}
      {data.saml && <Link to={paths.samlSignIn(way)}>{t('with', { name: data.saml })}</Link>}
      {data.serviceTicket && <Link to={paths.serviceSignIn(way)}>{t('withService')}</Link>}
    </nav>
  );
}
