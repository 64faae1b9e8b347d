import type { LiveTicket } from '@/shared/api';

/** What the server announces: `control/features/live/feed.py`. */
export type Topic = 'alert' | 'link' | 'service' | 'table' | 'figures' | 'plan' | 'call';

interface Event {
  live?: boolean;
  topics?: readonly Topic[];
}

export interface LiveEvents {
  /** Whether every change is announced from here on. */
  onLive: (isLive: boolean) => void;
  onTopics: (topics: readonly Topic[]) => void;
  /** The connection failed or was never made; another is tried by itself. */
  onError: () => void;
}

type SocketClass = new (address: string, protocols: string[]) => WebSocket;

const PROTOCOL = 'zcbus';

/** Milliseconds from an error, or an end, to the next attempt. */
export const RETRY_AFTER = 10_000;

/** Milliseconds of silence after which a socket counts as dead: the server says something every 15 s. */
export const SILENT_AFTER = 45_000;

function log(text: string): void {
  // biome-ignore lint/suspicious/noConsole: sockets open and close by themselves; the reason is looked for there
  console.info(text);
}

/** The events of the platform, over a socket that is opened again whenever it ends. `open` asks for a ticket. */
export class LiveSocket {
  private socket: WebSocket | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private isStopped = false;

  constructor(
    private readonly open: () => Promise<LiveTicket>,
    private readonly address: (path: string) => string,
    private readonly events: LiveEvents,
    private readonly Socket: SocketClass = WebSocket,
  ) {
    this.connect();
  }

  stop(): void {
    this.isStopped = true;
    this.end();
  }

  private connect(): void {
    this.open().then(
      (ticket) => this.listen(ticket),
      () => this.fail(),
    );
  }

  private listen({ path, ticket }: LiveTicket): void {
    if (this.isStopped) return;
    const socket = new this.Socket(this.address(path), [PROTOCOL, ticket]);
    this.socket = socket;
    this.expectMessage();
    socket.addEventListener('open', () => log('WebSocket connected'));
    socket.addEventListener('message', ({ data }) => this.receive(data));
    socket.addEventListener('error', () => this.fail());
    socket.addEventListener('close', () => {
      if (this.socket !== socket) return;
      log('WebSocket disconnected');
      this.again();
    });
  }

  private receive(data: unknown): void {
    this.expectMessage();
    if (typeof data !== 'string') return;
    const { live, topics } = JSON.parse(data) as Event;
    if (live !== undefined) this.events.onLive(live);
    if (topics?.length) this.events.onTopics(topics);
  }

  private expectMessage(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.fail(), SILENT_AFTER);
  }

  private fail(): void {
    if (this.isStopped) return;
    this.events.onError();
    this.again();
  }

  private again(): void {
    this.end();
    if (!this.isStopped) this.retry = setTimeout(() => this.connect(), RETRY_AFTER);
  }

  private end(): void {
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.events.onLive(false);
  }
}
