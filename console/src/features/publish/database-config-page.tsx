import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { Result } from '@/shared/ui/result';
import { chosenType, useKinds } from '@/shared/widgets/data-source/queries';
import { CreateButton } from './create-button';
import { useNodeSettings } from './queries';

// Fetched while the page asks for the kinds.
const form = import('./node-form');
const NodeForm = lazy(() => form);

/** A database's parameters: of a new publish node, or of the one that `id` names. */
export default function DatabaseConfigPage() {
  const { t } = useTranslation('publish');
  const { configType } = useParams();
  const [parameters] = useSearchParams();
  const id = parameters.get('id') ?? '';
  const kinds = useKinds('publish');
  const node = useNodeSettings(id);
  const error = kinds.error ?? node.error;
  const moduletype = node.data?.source.kind ?? chosenType(parameters.get('databaselist'));
  const kind = kinds.data?.find((one) => one.moduletype === moduletype && one.valid === 1);
  if (error && (!kinds.data || (id && !node.data)))
    return (
      <ErrorState isPage error={error} onRetry={() => Promise.all([kinds.refetch(), id && node.refetch()])} />
    );
  if (!kinds.data || (id && !node.data)) return <LoadingState rows={8} />;
  if (configType !== 'publish' || !kind)
    return (
      <Result
        status="info"
        isPage
        title={t('config.unknown')}
        subTitle={t('config.unknownHint')}
        extra={<CreateButton />}
      />
    );
  return (
    <Suspense fallback={<LoadingState rows={8} />}>
      <NodeForm key={id || kind.moduletype} kind={kind} node={node.data} />
    </Suspense>
  );
}
