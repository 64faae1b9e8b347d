import { type ComponentType, createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { SubscriberRecord } from '@/shared/api';
import { customerPaths } from '@/shared/pages/paths';

export type ClientType = Exclude<SubscriberRecord['clientType'], 'stream'>;

/** Whose pages these are: subscribers' or processes'. Both are the same components over the same calls. */
interface Audience {
  clientType: ClientType;
  /** The menu entry that grants the pages. */
  menu: 'subscribe' | 'databus';
  /** Where a message is looked for, the first that has it: processes have words of their own for some things. */
  words: readonly string[];
}

const audiences: Record<ClientType, Audience> = {
  client: { clientType: 'client', menu: 'subscribe', words: ['subscribe'] },
  databus: { clientType: 'databus', menu: 'databus', words: ['databus', 'subscribe'] },
};

const AudienceContext = createContext(audiences.client);

/** Whose page this is, and the ways between its pages. */
export function useAudience() {
  const audience = useContext(AudienceContext);
  return { ...audience, paths: customerPaths[audience.clientType] };
}

/** The words of the subscribe pages, as they are said of whom the page is for. */
export function useWords() {
  const { words } = useContext(AudienceContext);
  return useTranslation(words as ['subscribe'], { nsMode: 'fallback' });
}

/** The same page for processes. */
export async function ofProcesses(page: Promise<{ default: ComponentType }>) {
  const { default: Page } = await page;
  return {
    default: function ProcessPage() {
      return (
        <AudienceContext value={audiences.databus}>
          <Page />
        </AudienceContext>
      );
    },
  };
}
