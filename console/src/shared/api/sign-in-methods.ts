import { queryOptions } from '@tanstack/react-query';
import { call, sessionGetMethods } from '.';

/** What signing in takes on this platform. */
export const signInMethods = queryOptions({
  queryKey: ['sign-in', 'methods'],
  queryFn: ({ signal }) => call(sessionGetMethods({ signal })),
  staleTime: 60_000,
});
