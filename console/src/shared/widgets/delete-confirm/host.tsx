import { lazy, Suspense } from 'react';
import { useDeleteRequest } from './requests';

const DeleteDialog = lazy(() => import('./dialog'));

/** Stands once in the frame and shows the deletion that `confirmDelete` asks about. */
export function DeleteConfirmHost() {
  const { request, set } = useDeleteRequest();
  return (
    <Suspense fallback={null}>
      {request && <DeleteDialog request={request} onClose={() => set(undefined)} />}
    </Suspense>
  );
}
