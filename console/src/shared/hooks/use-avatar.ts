import { useQuery } from '@tanstack/react-query';
import { call, uploadGetAvatar } from '@/shared/api';

/** The key of the viewer's picture. */
export const AVATAR = ['account', 'avatar'];

/** The address of the viewer's picture; empty: none, or not known yet. */
export function useAvatar(): string {
  const query = useQuery({
    queryKey: AVATAR,
    queryFn: ({ signal }) => call(uploadGetAvatar({ body: {}, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data?.picture ?? '';
}
