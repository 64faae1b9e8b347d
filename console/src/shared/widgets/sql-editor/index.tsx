import { lazy, Suspense } from 'react';
import { LoadingState } from '@/shared/ui/loading-state';
import type { SqlEditorProps } from './editor';

const Editor = lazy(() => import('./editor'));

/** SQL with colours, brackets and completion. The editor itself is loaded with the first one that is shown. */
export function SqlEditor(props: SqlEditorProps) {
  return (
    <Suspense fallback={<LoadingState rows={4} />}>
      <Editor {...props} />
    </Suspense>
  );
}
