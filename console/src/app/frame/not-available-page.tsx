import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { titleIn } from '@/shared/pages/definition';
import { paths } from '@/shared/pages/paths';
import { Result } from '@/shared/ui/result';
import type { NotAvailable } from '../not-available';

/** The address is right, but this version does not have the page yet. */
export function NotAvailablePage({ route }: { route: NotAvailable }) {
  const { t } = useTranslation('frame');
  const navigate = useNavigate();
  return (
    <Result
      status="info"
      isPage
      title={t('notAvailable.title', { page: titleIn(route.title) })}
      subTitle={t('notAvailable.hint')}
      extra={
        <Button type="primary" size="middle" onClick={() => navigate(paths.home())}>
          {t('notFound.home')}
        </Button>
      }
    />
  );
}
