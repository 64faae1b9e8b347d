import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import { HostsCard } from './hosts-card';
import { LinksCard } from './links-card';
import { useHosts, useServices } from './queries';
import { ServicesCard } from './services-card';
import './home.css';

/** What is running now. */
export default function HomePage() {
  const { t } = useTranslation('home');
  const hosts = useHosts();
  const services = useServices();
  return (
    <>
      <PageHead title={t('title')} marks={<LiveMark query={services} />} />
      <div className="home">
        <LinksCard />
        {services.data && <ServicesCard services={services.data} />}
        {!services.data && services.error && <ErrorState error={services.error} onRetry={services.refetch} />}
        {services.isPending && <LoadingState />}
        {hosts.data && <HostsCard agents={hosts.data} />}
      </div>
    </>
  );
}
