import { create } from 'zustand';

export type NoticeKind = 'success' | 'info' | 'warning' | 'error';

export interface Notice {
  id: number;
  kind: NoticeKind;
  text: string;
  /** Seconds until it leaves by itself. */
  seconds: number;
}

interface Notices {
  waiting: Notice[];
  add: (notice: Notice) => void;
  drop: (id: number) => void;
}

/** Notices wait here until the page that is on shows them: the frame with the kit's, the sign-in page with its own. */
export const useNotices = create<Notices>((set) => ({
  waiting: [],
  add: (notice) => set((state) => ({ waiting: [...state.waiting, notice] })),
  drop: (id) => set((state) => ({ waiting: state.waiting.filter((notice) => notice.id !== id) })),
}));

let lastId = 0;

/** Says something to the viewer, titled "Tips" as the specification wants. `seconds` defaults to 4. */
export function notify(kind: NoticeKind, text: string, seconds = 4): void {
  lastId += 1;
  useNotices.getState().add({ id: lastId, kind, text, seconds });
}
