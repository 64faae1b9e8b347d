import { useQueryClient } from '@tanstack/react-query';
import { call, registrationDetail } from '@/shared/api';
import { useRead } from '@/shared/hooks/use-live';

const KEY = ['registration'];

export function useRegistrationDetail() {
  return useRead({
    queryKey: [...KEY, 'detail'],
    queryFn: ({ signal }) => call(registrationDetail({ body: {}, signal })),
    staleTime: 0,
  });
}

/** After a code was taken: this page, and what the frame shows of the registration. */
export function useRefreshRegistration(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: KEY }),
      client.invalidateQueries({ queryKey: ['session', 'registration'] }),
    ]);
}
