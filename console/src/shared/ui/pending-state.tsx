import { ErrorState } from './error-state';
import { LoadingState } from './loading-state';

interface Props {
  /** What has brought nothing yet. */
  query: { error: Error | null; refetch: () => unknown };
  /** How many lines stand where the content comes. */
  rows: number;
}

/** In place of what is on its way: grey lines, or why it does not come. */
export function PendingState({ query, rows }: Props) {
  if (query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  return <LoadingState rows={rows} />;
}
