import { type ComponentType, createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { SubscriberRecord } from '@/shared/api';
import { customerPaths } from '@/shared/pages/paths';

export type ClientType = SubscriberRecord['clientType'];

/** Whose pages these are: of subscribers, processes or stream queries. All are the same components over the same calls. */
interface Audience {
  clientType: ClientType;
  /** The menu entry that grants the pages. */
  menu: 'subscribe' | 'databus' | 'stream';
  /** Where a message is looked for, the first that has it: some have words of their own for some things. */
  words: readonly string[];
}

const audiences: Record<ClientType, Audience> = {
  client: { clientType: 'client', menu: 'subscribe', words: ['subscribe'] },
  databus: { clientType: 'databus', menu: 'databus', words: ['databus', 'subscribe'] },
  stream: { clientType: 'stream', menu: 'stream', words: ['stream-customer', 'subscribe'] },
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

/** The same page for customers of another type. */
export async function pageOf(clientType: ClientType, page: Promise<{ default: ComponentType }>) {
  const { default: Page } = await page;
  return {
    default: function PageOfAudience() {
      return (
        <AudienceContext value={audiences[clientType]}>
          <Page />
        </AudienceContext>
      );
    },
  };
}
