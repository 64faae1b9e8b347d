import type { ComponentProps } from 'react';
import { type Location, parsePath, type To, type unstable_HistoryRouter } from 'react-router';

type History = ComponentProps<typeof unstable_HistoryRouter>['history'];
type Listener = Parameters<History['listen']>[0];
type Update = Parameters<Listener>[0];

/** A step within the console takes a few milliseconds. */
const RETRY_MILLISECONDS = 100;

/** Where a change of the address leads, and how it comes about. */
export interface Step {
  pathname: string;
  search: string;
  action: 'PUSH' | 'REPLACE' | 'POP';
}

/**
 * Asked before the address changes, with the path before and the place after. Where it answers true nothing changes
 * until `proceed` is called, which must not be done while it is asked.
 */
export type Guard = (from: string, to: Step, proceed: () => void) => boolean;

/**
 * The browser's history, whose changes can be held back. What is pushed or replaced is asked about first; of back and
 * forward a browser reports only afterwards: it is sent back, and goes again once it may. `location` is where the
 * viewer is now: ahead of what is drawn, and never a place from which the browser is being sent back.
 */
export class GuardedHistory implements History {
  location: Location;
  readonly basename: string;
  readonly #inner: History;
  #listener: Listener | undefined;
  #guard: Guard | undefined;
  /** Offset of the browser's entry from `location`; not 0 while it is being sent back. */
  #astray = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #onceBack: (() => void)[] = [];
  /** The entry that may be gone to without asking again. */
  #allowed: string | undefined;

  /** `inner` must also report pushes and replacements (`v5Compat`). Paths for the guard are those within `basename`. */
  constructor(inner: History, basename = '') {
    this.#inner = inner;
    this.basename = basename;
    this.location = inner.location;
    inner.listen((update) => this.#onUpdate(update));
  }

  get action() {
    return this.#inner.action;
  }

  /** The path of `location`, within `basename`. */
  get path(): string {
    return this.#within(this.location.pathname);
  }

  readonly push = (to: To, state?: unknown) => this.#change('PUSH', to, () => this.#inner.push(to, state));
  readonly replace = (to: To, state?: unknown) =>
    this.#change('REPLACE', to, () => this.#inner.replace(to, state));
  readonly go = (delta: number) => this.#inner.go(delta);
  readonly createHref = (to: To) => this.#inner.createHref(to);
  readonly createURL = (to: To) => this.#inner.createURL(to);
  readonly encodeLocation = (to: To) => this.#inner.encodeLocation(to);

  /** Sets the listener of changes, replacing the former one; returns its removal. */
  readonly listen = (listener: Listener) => {
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  };

  /** Has `guard` asked from now on, in place of the one before; answers what ends that. */
  guard(guard: Guard): () => void {
    this.#guard = guard;
    return () => {
      if (this.#guard === guard) this.#guard = undefined;
    };
  }

  #isHeld(to: Step, proceed: () => void): boolean {
    return this.#guard?.(this.path, { ...to, pathname: this.#within(to.pathname) }, proceed) ?? false;
  }

  #within(pathname: string): string {
    return pathname.slice(this.basename.length) || '/';
  }

  #change(action: Step['action'], to: To, change: () => void): void {
    const { pathname = this.location.pathname, search = '' } = typeof to === 'string' ? parsePath(to) : to;
    const proceed = () => this.#whenBack(change);
    if (!this.#isHeld({ pathname, search, action }, proceed)) proceed();
  }

  #onUpdate(update: Update): void {
    if (update.action === 'POP' && this.#isSentBack(update)) return;
    this.location = update.location;
    this.#listener?.(update);
  }

  /** Entries that the console did not make have no `delta`: how far it is back from them is not known. */
  #isSentBack({ location, delta }: Update): boolean {
    if (!delta) return false;
    if (this.#astray === 0 && !this.#isStepHeld(location, delta)) return false;
    this.#astray += delta;
    if (this.#astray === 0) this.#onBack();
    else if (this.#retry === undefined) this.#sendBack();
    return true;
  }

  #isStepHeld({ key, pathname, search }: Location, delta: number): boolean {
    if (key === this.#allowed) {
      this.#allowed = undefined;
      return false;
    }
    const again = () => {
      this.#allowed = key;
      this.#inner.go(delta);
    };
    return this.#isHeld({ pathname, search, action: 'POP' }, () => this.#whenBack(again));
  }

  /** A browser drops a step, or takes it from elsewhere, where someone presses the button again meanwhile. */
  #sendBack(): void {
    this.#retry = setTimeout(() => this.#sendBack(), RETRY_MILLISECONDS);
    this.#inner.go(-this.#astray);
  }

  #onBack(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    for (const waiting of this.#onceBack.splice(0)) waiting();
  }

  #whenBack(act: () => void): void {
    if (this.#astray === 0) act();
    else this.#onceBack.push(act);
  }
}
