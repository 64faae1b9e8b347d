import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useGrantedMenu } from '@/shared/hooks/granted-menu';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { Result } from '@/shared/ui/result';
import { walk } from '../menu';

/** Pages are shown once it is known what the viewer may see. */
export function MenuGate({ children }: { children: ReactNode }) {
  const { t } = useTranslation('frame');
  const menu = useGrantedMenu();
  // A permission that stands for no page opens none.
  if (walk(menu.data ?? []).some(({ kind }) => kind === 'page')) return children;
  return (
    <main className="frame-pages frame-page">
      {menu.isPending && <LoadingState />}
      {menu.isError && <ErrorState error={menu.error} onRetry={menu.refetch} />}
      {menu.data && <Result status="locked" title={t('noMenu')} subTitle={t('noMenuHint')} />}
    </main>
  );
}
