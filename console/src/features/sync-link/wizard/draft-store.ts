import { create } from 'zustand';
import { session } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';
import { emptyDraft, type LinkDraft, withoutSecrets } from './draft';

interface DraftStore {
  draft: LinkDraft;
  change: (part: Partial<LinkDraft>) => void;
  startOver: () => void;
}

/** The link that is being made. It outlives its page, so that nothing is lost by going elsewhere and coming back. */
export const useDraft = create<DraftStore>((set) => ({
  draft: { ...emptyDraft, ...session.get<LinkDraft>(storeKeys.linkDraft) },
  change: (part) => set(({ draft }) => ({ draft: { ...draft, ...part } })),
  startOver: () => {
    session.remove(storeKeys.linkDraft);
    set({ draft: emptyDraft });
  },
}));

/** Keeps the draft over a reload (switching the language reloads). Passwords are never kept. */
export function rememberDraft(): void {
  session.set(storeKeys.linkDraft, withoutSecrets(useDraft.getState().draft));
}
