import { create } from 'zustand';

/** Names a call to the server, so that it can be asked how far the call is. */
export type ProgressHeaders = Record<'zcbus-progress', string>;

export interface FollowedCall {
  key: string;
  /** What the viewer asked for. */
  title: string;
}

interface FollowedCalls {
  calls: readonly FollowedCall[];
  begin: (call: FollowedCall) => void;
  end: (key: string) => void;
}

/** The calls that are under way and may take long. */
export const useFollowedCalls = create<FollowedCalls>((set) => ({
  calls: [],
  begin: (call) => set(({ calls }) => ({ calls: [...calls, call] })),
  end: (key) => set(({ calls }) => ({ calls: calls.filter((one) => one.key !== key) })),
}));

/**
 * Makes a call that may take long: `follow(title, (headers) => call(syncLinkPrecheck({ body, headers })))`. After a
 * second it is shown how far it is, with a way to call it off; it then fails as the server says.
 */
export async function follow<Data>(
  title: string,
  ask: (headers: ProgressHeaders) => Promise<Data>,
): Promise<Data> {
  const { begin, end } = useFollowedCalls.getState();
  const key = newKey();
  begin({ key, title });
  try {
    return await ask({ 'zcbus-progress': key });
  } finally {
    end(key);
  }
}

/** Names a call. The browser's own identifiers are not to be had over plain HTTP. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
