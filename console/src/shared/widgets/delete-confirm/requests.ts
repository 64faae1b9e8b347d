import type { ReactNode } from 'react';
import { create } from 'zustand';
import type { DependantsRequest } from '@/shared/api';

/** What the viewer read in the picture; empty while the system does not ask for it. */
export interface DeleteProof {
  code?: string;
  uuid?: string;
}

export interface DeleteRequest {
  /** What will be deleted, as a question. */
  title: ReactNode;
  /** What happens then: names and counts, and what stays. */
  content: ReactNode;
  /** What is asked for its dependants, which the dialog lists with links to them; null: nothing can depend on it. */
  dependants: DependantsRequest | null;
  /** It goes into the recycle bin: the dialog says for how long it can be restored. */
  isRecycled?: boolean;
  /** The verb on the button; without one "Delete". */
  action?: string;
  /**
   * `post`: the call that deletes takes `code` and `uuid` and the server checks them there. `get`: it has no place for
   * them, so they are checked beforehand.
   */
  mode: 'get' | 'post';
  /** Runs while the dialog shows that it runs. When it throws the dialog stays open for another try, with another picture. */
  run: (proof: DeleteProof) => Promise<unknown>;
}

interface Waiting {
  request: DeleteRequest | undefined;
  set: (request: DeleteRequest | undefined) => void;
}

/** The one deletion that is asked about; the frame's host shows it. */
export const useDeleteRequest = create<Waiting>((set) => ({
  request: undefined,
  set: (request) => set({ request }),
}));

/** Asks before something is deleted: for a picture's digits, or by a plain warning, as the system is configured. */
export function confirmDelete(request: DeleteRequest): void {
  useDeleteRequest.getState().set(request);
}
