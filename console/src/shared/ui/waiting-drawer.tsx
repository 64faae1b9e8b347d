import { Drawer } from 'antd';
import { ErrorState } from './error-state';
import { LoadingState, useLate } from './loading-state';

interface Query {
  error: Error | null;
  refetch: () => unknown;
}

interface Props {
  title: string;
  /** What the drawer is made of. */
  queries: readonly Query[];
  /** As wide as what comes. */
  size?: string;
  onClose: () => void;
}

/** In place of a drawer whose content is on its way: grey lines once that takes long, or why it does not come. */
export function WaitingDrawer({ title, queries, size = '40%', onClose }: Props) {
  const isLate = useLate();
  const failed = queries.filter(({ error }) => error !== null);
  const [first] = failed;
  if (!first && !isLate) return null;
  const again = () => Promise.all(failed.map(({ refetch }) => refetch()));
  return (
    <Drawer title={title} open size={size} onClose={onClose}>
      {first?.error ? <ErrorState error={first.error} onRetry={again} /> : <LoadingState rows={8} />}
    </Drawer>
  );
}
