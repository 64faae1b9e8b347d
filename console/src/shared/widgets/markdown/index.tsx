import { lazy, Suspense } from 'react';
import { LoadingState } from '@/shared/ui/loading-state';
import type { ArticleProps } from './article';

const Article = lazy(() => import('./article'));

/** An article in Markdown. What draws it is loaded with the first article, so pages without one don't carry it. */
export function MarkdownArticle(props: ArticleProps) {
  return (
    <Suspense fallback={<LoadingState rows={6} />}>
      <Article {...props} />
    </Suspense>
  );
}
