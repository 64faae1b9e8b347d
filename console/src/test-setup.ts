import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// jsdom has no layout and none of these; the kit asks for them.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }) as unknown as MediaQueryList;

window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// Without a layout every element is 0 × 0, and a table that draws only the rows in sight would draw none.
Object.defineProperties(HTMLElement.prototype, {
  clientHeight: { configurable: true, get: () => 640 },
  clientWidth: { configurable: true, get: () => 1000 },
});

// A deadline, not a pause: on a busy machine a page takes longer to appear than the library's one second.
configure({ asyncUtilTimeout: 15_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});

// jsdom lays nothing out.
Element.prototype.scrollIntoView = () => undefined;

// No test sees the kit's rules, but roles and names are looked up among what is visible, and half of all time would go
// into matching those rules.
const head = document.head;
const withoutRules =
  <A extends unknown[]>(insert: (node: Node, ...further: A) => Node) =>
  (node: Node, ...further: A) => {
    if (node instanceof HTMLStyleElement) node.type = 'text/plain';
    return insert.call(head, node, ...further);
  };
Object.assign(head, {
  insertBefore: withoutRules(head.insertBefore),
  appendChild: withoutRules(head.appendChild),
});
