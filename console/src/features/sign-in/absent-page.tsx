import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { Card } from './card';

/** An address that needs no login, whose page this version does not have. */
export default function AbsentPage() {
  const { t } = useTranslation('sign-in');
  return (
    <Card title={t('absent.title')}>
      <p>{t('absent.hint')}</p>
      <Link to={paths.signIn()}>{t('reset.back')}</Link>
    </Card>
  );
}
