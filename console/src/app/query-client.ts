import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/shared/api/errors';
import { type Asked, failureText, notifyFailure } from '@/shared/api/notices';
import { useBusy } from '@/shared/lib/busy';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The page itself says that this failed. */
      quiet?: boolean;
      /** Name of the action, for its error message. */
      asked?: Asked | ((variables: never) => Asked);
      /** Nothing else may be done meanwhile: the global mask lies over everything until it is over. */
      mask?: boolean;
    };
  }
}

/** Reads show their failure in the page, where the figures would stand; what the viewer did is answered by a notice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => error instanceof ApiError && error.isConnectionLost && failures < 2,
      staleTime: 1000,
      // The library would hold calls back while the browser calls itself offline, and the page would look alive.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    onMutate: (_variables, mutation) => {
      if (mutation.meta?.mask) useBusy.getState().begin();
    },
    onSettled: (_data, _error, _variables, _context, mutation) => {
      if (mutation.meta?.mask) useBusy.getState().end();
    },
    onError: (error, variables, _context, mutation) => {
      const { quiet, asked } = mutation.meta ?? {};
      if (quiet) return;
      if (!(error instanceof ApiError)) throw error;
      notifyFailure(
        error,
        failureText(error, typeof asked === 'function' ? asked(variables as never) : asked),
      );
    },
  }),
});
