import { useQuery } from '@tanstack/react-query';
import {
  call,
  captchaCheck,
  captchaGetCode,
  captchaGetPlainPicture,
  type DependantsRequest,
  dependantsFind,
  parameterGetByVariableName,
} from '@/shared/api';

const ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false } as const;

/** Whether the system asks for a picture's digits before something is deleted. Read again for every dialog. */
export function useCodeWanted() {
  return useQuery({
    ...ONCE,
    queryKey: ['delete-confirm', 'wanted'],
    queryFn: async ({ signal }) => {
      const { value } = await call(
        parameterGetByVariableName({ query: { variableName: 'sys_config' }, signal }),
      );
      return (value as { isDeleteCode?: unknown } | null)?.isDeleteCode === true;
    },
  });
}

/** What depends on the object now. */
export function useDependants(asked: DependantsRequest | null) {
  return useQuery({
    ...ONCE,
    queryKey: ['delete-confirm', 'dependants', asked],
    queryFn: ({ signal }) => call(dependantsFind({ body: asked as DependantsRequest, signal })),
    enabled: asked !== null,
  });
}

/** For how many days the recycle bin keeps what is deleted from now on. */
export function useRecycleBinDays(isWanted: boolean) {
  return useQuery({
    ...ONCE,
    queryKey: ['delete-confirm', 'recycle-bin-days'],
    queryFn: async ({ signal }) => {
      const query = { variableName: 'recycle_bin_days' };
      return Number((await call(parameterGetByVariableName({ query, signal }))).value);
    },
    enabled: isWanted,
  });
}

/** A picture is good once; `renew` fetches another. Where the first kind fails, the plain kind is taken. */
export function useDeletePicture(isWanted: boolean) {
  const query = useQuery({
    ...ONCE,
    queryKey: ['delete-confirm', 'picture'],
    queryFn: ({ signal }) =>
      call(captchaGetCode({ signal })).catch(() => call(captchaGetPlainPicture({ signal }))),
    enabled: isWanted,
    retry: false,
  });
  return { picture: query.data, isFailed: query.isError, renew: () => void query.refetch() };
}

export function isRight(uuid: string, code: string): Promise<boolean> {
  return call(captchaCheck({ body: { uuid, code } }));
}
