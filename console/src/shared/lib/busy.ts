import { create } from 'zustand';

interface Busy {
  /** Number of running operations that block all others. */
  running: number;
  begin: () => void;
  end: () => void;
}

/** What the global mask waits for. A change takes part with `meta: { mask: true }`. */
export const useBusy = create<Busy>((set) => ({
  running: 0,
  begin: () => set(({ running }) => ({ running: running + 1 })),
  end: () => set(({ running }) => ({ running: Math.max(0, running - 1) })),
}));
