import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { Result } from '@/shared/ui/result';
import { KindButton } from '@/shared/widgets/data-source/kind-button';
import { chosenType, useKinds } from '@/shared/widgets/data-source/queries';
import { useAudience, useWords } from './audience';
import { useDatabase } from './queries';

// Fetched while the page asks for the kinds.
const form = import('./database-form');
const DatabaseForm = lazy(() => form);

/** A target database's parameters: of a new subscriber, a further one of a subscriber, or the one that `id` names. */
export default function DatabaseConfigPage() {
  const { t } = useWords();
  const { menu, paths } = useAudience();
  const [parameters] = useSearchParams();
  const id = parameters.get('id') ?? '';
  const kinds = useKinds('subscribe');
  const database = useDatabase(id);
  const error = kinds.error ?? database.error;
  const isLoading = !kinds.data || (id !== '' && database.isPending);
  if (error && isLoading)
    return (
      <ErrorState
        isPage
        error={error}
        onRetry={() => Promise.all([kinds.refetch(), id && database.refetch()])}
      />
    );
  if (isLoading) return <LoadingState rows={8} />;
  const moduletype = database.data?.target.kind ?? chosenType(parameters.get('databaselist'));
  const kind = kinds.data?.find((one) => one.moduletype === moduletype && one.valid === 1);
  if (!kind || (id !== '' && !database.data))
    return (
      <Result
        status="info"
        isPage
        title={t('config.unknown')}
        subTitle={t('config.unknownHint')}
        extra={
          <KindButton
            label={t('config.newCustomer')}
            menu={menu}
            use="subscribe"
            to={(kind) => paths.database(kind)}
          />
        }
      />
    );
  return (
    <Suspense fallback={<LoadingState rows={8} />}>
      <DatabaseForm
        key={id || kind.moduletype}
        kind={kind}
        database={database.data}
        ofCustomer={parameters.get('customer') ?? undefined}
      />
    </Suspense>
  );
}
