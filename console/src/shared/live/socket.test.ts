import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { type LiveEvents, LiveSocket, RETRY_AFTER, SILENT_AFTER } from './socket';

class FakeSocket extends EventTarget {
  static all: FakeSocket[] = [];
  isClosed = false;

  constructor(
    readonly address: string,
    readonly protocols: string[],
  ) {
    super();
    FakeSocket.all.push(this);
  }

  say(event: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }));
  }

  close(): void {
    this.isClosed = true;
  }
}

const open = vi.fn(async () => ({ path: '/api/websocket', ticket: `ticket-${FakeSocket.all.length}` }));
const events = { onLive: vi.fn(), onTopics: vi.fn(), onError: vi.fn() } satisfies LiveEvents;
let live: LiveSocket;
let logged: MockInstance;

function newest(): FakeSocket {
  const socket = FakeSocket.all.at(-1);
  if (!socket) throw new Error('none was opened');
  return socket;
}

beforeEach(async () => {
  vi.useFakeTimers();
  logged = vi.spyOn(console, 'info').mockImplementation(() => {});
  FakeSocket.all = [];
  live = new LiveSocket(
    open,
    (path) => `wss://bus.example${path}`,
    events,
    FakeSocket as unknown as typeof WebSocket,
  );
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  live.stop();
  vi.restoreAllMocks();
  vi.clearAllMocks();
  vi.useRealTimers();
});

it('opens with a ticket of its own, and logs it', () => {
  expect(newest().address).toBe('wss://bus.example/api/websocket');
  expect(newest().protocols).toEqual(['zcbus', 'ticket-0']);
  newest().dispatchEvent(new Event('open'));
  expect(logged).toHaveBeenCalledWith('WebSocket connected');
});

it('passes on what is announced, and nothing of a sign of life', () => {
  newest().say({ live: true });
  newest().say({ topics: ['link', 'table'] });
  newest().say({ topics: [] });
  expect(events.onLive.mock.calls).toEqual([[true]]);
  expect(events.onTopics.mock.calls).toEqual([[['link', 'table']]]);
});

it('says that an error came, and tries again ten seconds later', async () => {
  newest().say({ live: true });
  newest().dispatchEvent(new Event('error'));
  expect(events.onError).toHaveBeenCalledOnce();
  expect(events.onLive).toHaveBeenLastCalledWith(false);
  await vi.advanceTimersByTimeAsync(RETRY_AFTER - 1);
  expect(FakeSocket.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(newest().protocols).toEqual(['zcbus', 'ticket-1']);
});

it('logs its end and opens again', async () => {
  newest().dispatchEvent(new Event('close'));
  expect(logged).toHaveBeenCalledWith('WebSocket disconnected');
  expect(events.onError).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(RETRY_AFTER);
  expect(FakeSocket.all).toHaveLength(2);
});

it('tries again where it got no ticket', async () => {
  open.mockRejectedValueOnce(new Error('unreachable'));
  newest().dispatchEvent(new Event('close'));
  await vi.advanceTimersByTimeAsync(RETRY_AFTER);
  expect(events.onError).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(RETRY_AFTER);
  expect(FakeSocket.all).toHaveLength(2);
});

it('takes a silent socket for dead', async () => {
  await vi.advanceTimersByTimeAsync(SILENT_AFTER - 1);
  newest().say({ topics: [] });
  await vi.advanceTimersByTimeAsync(SILENT_AFTER - 1);
  expect(newest().isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(newest().isClosed).toBe(true);
  expect(events.onError).toHaveBeenCalledOnce();
});

it('opens nothing more once it is stopped', async () => {
  live.stop();
  expect(newest().isClosed).toBe(true);
  newest().dispatchEvent(new Event('close'));
  await vi.advanceTimersByTimeAsync(RETRY_AFTER);
  expect(FakeSocket.all).toHaveLength(1);
});
