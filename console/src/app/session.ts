import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  call,
  commonProjectType,
  commonProjectVersion,
  sessionGetInformation,
  type UserRecord,
} from '@/shared/api';
import { grantedMenu, useGrantedMenu } from '@/shared/hooks/granted-menu';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { walk } from './menu';

const FOR_THIS_VISIT = Number.POSITIVE_INFINITY;

const signedInUser = queryOptions({
  queryKey: ['session', 'user'],
  queryFn: async ({ signal }) => {
    const { user } = await call(sessionGetInformation({ signal }));
    local.set(storeKeys.user, user);
    return user;
  },
  staleTime: FOR_THIS_VISIT,
});

/** Begins to ask what the frame draws with, before it is drawn. */
export function fetchSession(client: QueryClient): void {
  client.prefetchQuery(grantedMenu);
  client.prefetchQuery(signedInUser);
}

/** The keys of everything in that menu. */
export function useGrantedKeys(): readonly string[] {
  const { data } = useGrantedMenu();
  return useMemo(() => walk(data ?? []).map(({ menuKey }) => menuKey), [data]);
}

/** Who is signed in: at once from what signing in left behind, then as the server knows it. */
export function useSignedInUser(): UserRecord | undefined {
  return useQuery({ ...signedInUser, placeholderData: () => local.get<UserRecord>(storeKeys.user) }).data;
}

export type DeploymentType = 0 | 1 | 2;

function isDeploymentType(type: number): type is DeploymentType {
  return type === 0 || type === 1 || type === 2;
}

/** What the foot of the menu shows; undefined until it is known. */
export function useDeployment(): { version?: string; type?: DeploymentType } {
  const query = useQuery({
    queryKey: ['session', 'deployment'],
    queryFn: async ({ signal }) => {
      const [version, type] = await Promise.all([
        call(commonProjectVersion({ signal })),
        call(commonProjectType({ signal })),
      ]);
      return { version, type: isDeploymentType(type) ? type : undefined };
    },
    staleTime: FOR_THIS_VISIT,
  });
  return query.data ?? {};
}
