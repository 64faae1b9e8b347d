import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { Result } from '@/shared/ui/result';
import type { SpecifiedRoute } from '../routes';

/** The address is right, but this version does not have the page yet. */
export function NotAvailablePage({ route }: { route: SpecifiedRoute }) {
  const { t } = useTranslation(['frame', 'menu']);
  const navigate = useNavigate();
  return (
    <Result
      status="info"
      isPage
      title={t('frame:notAvailable.title', { page: t(`menu:${route.title}`) })}
      subTitle={t('frame:notAvailable.hint')}
      extra={
        <Button type="primary" size="middle" onClick={() => navigate(paths.home())}>
          {t('frame:notFound.home')}
        </Button>
      }
    />
  );
}
