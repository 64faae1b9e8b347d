/** Values kept in the browser, stored as JSON under a key. A full or forbidden storage never breaks a page. */
function helper(storage: () => Storage) {
  return {
    get<T>(key: string): T | undefined {
      try {
        const text = storage().getItem(key);
        return text === null ? undefined : (JSON.parse(text) as T);
      } catch {
        return undefined;
      }
    },
    set(key: string, value: unknown): void {
      try {
        storage().setItem(key, JSON.stringify(value));
      } catch {
        // Remembering is a convenience: without it the page works all the same.
      }
    },
    remove(key: string): void {
      try {
        storage().removeItem(key);
      } catch {
        // Same reason as above.
      }
    },
    /** Removes everything but the keys named. */
    clear(kept: readonly string[] = []): void {
      try {
        const keys = Object.keys(storage());
        for (const key of keys) if (!kept.includes(key)) storage().removeItem(key);
      } catch {
        // Same reason as above.
      }
    },
  };
}

/** Kept until removed, shared by all windows. */
export const local = helper(() => window.localStorage);

/** Kept for one browser tab, over reloads. */
export const session = helper(() => window.sessionStorage);
