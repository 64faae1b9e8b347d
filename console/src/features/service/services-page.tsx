import { useTranslation } from 'react-i18next';
import ServiceList from '@/shared/widgets/service/service-list';

/** The services of all containers. */
export default function ServicesPage() {
  const { t } = useTranslation('service');
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <ServiceList />
    </>
  );
}
