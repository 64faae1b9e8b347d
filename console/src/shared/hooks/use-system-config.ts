import { useQuery } from '@tanstack/react-query';
import { call, parameterGetByVariableName } from '@/shared/api';
import { type SystemAddresses, setAddresses } from '@/shared/api/addresses';

/** What the system parameter `sys_config` holds, as far as the console reads it. */
export interface SystemConfig extends SystemAddresses {
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

/** The system's configuration, read once a visit; undefined until it is known. Calls go where it says from then on. */
export function useSystemConfig(): SystemConfig | undefined {
  const query = useQuery({
    queryKey: ['system-config'],
    queryFn: async ({ signal }) => {
      const { value } = await call(
        parameterGetByVariableName({ query: { variableName: 'sys_config' }, signal }),
      );
      const config = (value ?? {}) as SystemConfig;
      setAddresses(config);
      return config;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data;
}
