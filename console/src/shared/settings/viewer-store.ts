import { call, userSettingListOwn, userSettingSave } from '@/shared/api';
import { currentToken } from '@/shared/api/token';
import { local } from '@/shared/lib/storage';
import { storeKeys } from '@/shared/lib/store-keys';

const SEND_PAUSE = 800;

/** One viewer's values by name. `unsent`: those that the platform has not received yet. */
interface Kept<Value> {
  values: Record<string, Value>;
  unsent: string[];
}

function viewer(): string {
  return local.get<{ userId?: string }>(storeKeys.user)?.userId ?? '';
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * What a viewer arranged, the same in every browser: kept in this one at once, and on the platform soon.
 *
 * Once a visit the platform is asked what was arranged elsewhere. That counts more than what this browser kept, except
 * for changes that the platform has not received. Without an answer, this browser's values stay in effect.
 */
export class ViewerStore<Value extends object> {
  readonly #changes = new EventTarget();
  #fetching: { viewer: string; done: Promise<void> } | undefined;
  #sending: ReturnType<typeof setTimeout> | undefined;

  /** `storeKey`: where this browser keeps it. `prefix`: begins the names of the platform's settings. */
  constructor(
    private readonly storeKey: string,
    private readonly prefix: string,
  ) {}

  #kept(): Kept<Value> {
    const all = local.get<Record<string, Partial<Kept<Value>>>>(this.storeKey);
    return { values: {}, unsent: [], ...all?.[viewer()] };
  }

  #keep(next: Kept<Value>): void {
    const all = local.get<Record<string, Kept<Value>>>(this.storeKey);
    local.set(this.storeKey, { ...all, [viewer()]: next });
  }

  /** A value as this browser knows it. */
  read(name: string): Value | undefined {
    return this.#kept().values[name];
  }

  save(name: string, value: Value): void {
    const { values, unsent } = this.#kept();
    this.#keep({ values: { ...values, [name]: value }, unsent: [...new Set([...unsent, name])] });
    clearTimeout(this.#sending);
    this.#sending = setTimeout(() => this.#send(), SEND_PAUSE);
  }

  /** Calls back when the platform's values have come; not when they had come before. Answers how to withdraw that. */
  onFetched(listener: () => void): () => void {
    this.#changes.addEventListener('fetched', listener);
    this.#fetchOnce();
    return () => this.#changes.removeEventListener('fetched', listener);
  }

  #fetchOnce(): void {
    if (currentToken() === undefined) return;
    const current = viewer();
    if (this.#fetching?.viewer !== current)
      this.#fetching = { viewer: current, done: this.#fetch().catch(() => undefined) };
  }

  async #send(): Promise<void> {
    if (currentToken() === undefined) return;
    for (const name of this.#kept().unsent) {
      const value = this.read(name);
      try {
        await call(userSettingSave({ body: { name: this.prefix + name, value: { ...value } } }));
      } catch {
        return;
      }
      const { values, unsent } = this.#kept();
      // What was changed meanwhile is sent by the timer of that change.
      if (isSame(values[name], value))
        this.#keep({ values, unsent: unsent.filter((other) => other !== name) });
    }
  }

  async #fetch(): Promise<void> {
    const asked = viewer();
    const before = this.#kept().values;
    const settings = await call(userSettingListOwn({ body: { prefix: this.prefix } }));
    if (viewer() !== asked) return;
    const { values, unsent } = this.#kept();
    // What changed since the question may have been sent since, and the answer may be older than that.
    const changed = Object.keys(values).filter((name) => !isSame(values[name], before[name]));
    const own = Object.fromEntries(
      [...unsent, ...changed].map((name) => [name, values[name] ?? ({} as Value)]),
    );
    const theirs = settings.map(
      ({ name, value }) => [name.slice(this.prefix.length), value as Value] as const,
    );
    this.#keep({ values: { ...Object.fromEntries(theirs), ...own }, unsent });
    this.#changes.dispatchEvent(new Event('fetched'));
    await this.#send();
  }
}
