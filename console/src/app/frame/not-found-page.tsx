import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { Result } from '@/shared/ui/result';

export function NotFoundPage() {
  const { t } = useTranslation('frame');
  const navigate = useNavigate();
  return (
    <Result
      status="info"
      isPage
      title={t('notFound.title')}
      subTitle={t('notFound.hint')}
      extra={
        <Button type="primary" size="middle" onClick={() => navigate(paths.home())}>
          {t('notFound.home')}
        </Button>
      }
    />
  );
}
