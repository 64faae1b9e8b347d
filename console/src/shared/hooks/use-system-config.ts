import { useQuery } from '@tanstack/react-query';
import { call, parameterGetByVariableName } from '@/shared/api';

/** What the system parameter `sys_config` holds, as far as the console reads it. */
export interface SystemConfig {
  isDeleteCode?: boolean;
  /** Text at the lower left of the console. */
  leftLowerText?: string;
  /** Seconds between two polls of the number of unread alerts. */
  countdown?: number;
  /** Picture above the menu, as a data address; empty: the product's own. */
  homeLogo?: string;
  /** Name above the menu; empty: the product's own. */
  homeHeaderText?: string;
  /** Text of the footer; empty: the product's name. */
  footerTxt?: string;
  /** Number that authorities gave the site, in the footer; empty: none. */
  caseNumber?: string;
}

/** The system's configuration, read once a visit; undefined until it is known. */
export function useSystemConfig(): SystemConfig | undefined {
  const query = useQuery({
    queryKey: ['system-config'],
    queryFn: async ({ signal }) => {
      const { value } = await call(
        parameterGetByVariableName({ query: { variableName: 'sys_config' }, signal }),
      );
      return (value ?? {}) as SystemConfig;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data;
}
