import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { MarkdownArticle } from '@/shared/widgets/markdown';

interface TextProps {
  /** Names the text among those that are kept. */
  name: string;
  load: () => Promise<string>;
  contents?: boolean;
  /** The console's path of a link in the text; nothing where it leads elsewhere. */
  pathOf?: (href: string) => string | undefined;
  renderPicture?: (address: string, alt: string) => ReactNode;
}

/** A text in Markdown. */
export function Text({ name, load, ...article }: TextProps) {
  const text = useQuery({ queryKey: ['help', name], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  if (text.error) return <ErrorState error={text.error} onRetry={text.refetch} />;
  return text.data ? <MarkdownArticle source={text.data} {...article} /> : <LoadingState rows={8} />;
}
