import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { PageHead } from '@/shared/ui/page-head';
import { FiguresCard } from './figures-card';
import { HostsCard } from './hosts-card';
import { LinksCard } from './links-card';
import { ProblemsCard } from './problems-card';
import { useOverview } from './queries';
import { ServicesCard } from './services-card';
import './home.css';

const HistoryCards = lazy(() => import('./history-cards'));

function Cards({ overview }: { overview: Overview }) {
  // A remote client sees how its own data fares, and nothing of how it is moved.
  const mayLook = useMay('sync-link')('view');
  const isFresh = overview.links.length === 0;
  return (
    <div className="home">
      {/* Before the first link there is nothing to count: the way to it comes first. */}
      {!isFresh && <FiguresCard overview={overview} />}
      {(!isFresh || overview.problemsTotal > 0) && <ProblemsCard overview={overview} />}
      {mayLook && <LinksCard />}
      {!isFresh && (
        <Suspense fallback={<LoadingState rows={4} />}>
          <HistoryCards overview={overview} />
        </Suspense>
      )}
      {mayLook && !isFresh && <ServicesCard />}
      {mayLook && <HostsCard agents={overview.agents} />}
    </div>
  );
}

/** What is running now, and what needs a look. */
export default function HomePage() {
  const { t } = useTranslation('home');
  const query = useOverview();
  return (
    <>
      <PageHead title={t('title')} marks={<LiveMark query={query} />} />
      {query.isPending && <LoadingState rows={10} />}
      {!query.data && query.error && <ErrorState error={query.error} onRetry={query.refetch} />}
      {query.data && <Cards overview={query.data} />}
    </>
  );
}
