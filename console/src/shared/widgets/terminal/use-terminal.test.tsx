import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useNotices } from '@/shared/lib/notices';
import { loadMessages } from '@/testing/messages';
import { useTerminal } from './use-terminal';

const said: string[] = [];
const screens = vi.hoisted(() => [] as object[]);

vi.mock('@xterm/addon-fit', () => ({
  FitAddon: class {
    proposeDimensions = () => undefined;
  },
}));
vi.mock('@xterm/xterm', () => ({
  Terminal: class {
    constructor(options: object) {
      screens.push(options);
    }
    loadAddon = () => {};
    open = () => {};
    resize = () => {};
    focus = () => {};
    dispose = () => {};
    onData = () => {};
    onResize = () => {};
    writeln = (line: string) => said.push(line);
  },
}));

/** A connection that is refused. */
class RefusedSocket extends EventTarget {
  static made = 0;
  binaryType = '';
  constructor() {
    super();
    RefusedSocket.made += 1;
    queueMicrotask(() => {
      this.dispatchEvent(new Event('error'));
      this.dispatchEvent(new Event('close'));
    });
  }
  close() {}
}

beforeEach(async () => {
  await loadMessages('en');
  useNotices.setState({ waiting: [] });
  RefusedSocket.made = 0;
  said.length = 0;
  vi.stubGlobal('WebSocket', RefusedSocket);
});

afterEach(() => {
  vi.useRealTimers();
});

const place = document.createElement('div');

function open(isLog: boolean) {
  const ticket = { ticket: 't', path: '/ws/here', ...(isLog ? { logFile: 'a.log' } : {}) };
  return renderHook(() => useTerminal(place, async () => ticket, isLog));
}

it('a failed terminal connection is shown on the screen and in a notice, and is not retried automatically', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { result } = open(false);
  await waitFor(() => expect(result.current.isClosed).toBe(true));
  expect(said.join()).toContain('Connection failed');
  expect(useNotices.getState().waiting).toMatchObject([
    { kind: 'error', text: 'Try to connect failed; confirm the connection info' },
  ]);
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect(RefusedSocket.made).toBe(1);
});

it('a log that is cut off is warned of and asked for again after ten seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { result } = open(true);
  await waitFor(() => expect(result.current.isClosed).toBe(true));
  expect(useNotices.getState().waiting).toMatchObject([
    { kind: 'warning', text: 'WebSocket connection error; trying again in 10 seconds' },
  ]);
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(RefusedSocket.made).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(RefusedSocket.made).toBe(2);
});

it('the screen has 28 rows, scrolls back 30, and is written in 14 pixels', async () => {
  screens.length = 0;
  const { result } = open(false);
  await waitFor(() => expect(result.current.isClosed).toBe(true));
  expect(screens[0]).toMatchObject({ rows: 28, scrollback: 30, fontSize: 14 });
});
