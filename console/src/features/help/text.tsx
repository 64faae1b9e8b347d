import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { MarkdownArticle } from '@/shared/widgets/markdown';

interface TextProps {
  /** Names the text among those that are kept. */
  name: string;
  load: () => Promise<string>;
  contents?: boolean;
}

/** A text that comes with the product. */
export function Text({ name, load, contents }: TextProps) {
  const text = useQuery({ queryKey: ['help', name], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  if (text.error) return <ErrorState error={text.error} onRetry={text.refetch} />;
  return text.data ? <MarkdownArticle source={text.data} contents={contents} /> : <LoadingState rows={8} />;
}
