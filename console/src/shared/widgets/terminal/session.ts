import { socketAddress } from '@/shared/api/addresses';

/** What opens a terminal's socket: good once, at once. With `logFile` it is a log's. */
export interface TerminalTicket {
  ticket: string;
  path: string;
  logFile?: string;
}

/** Events of a terminal's connection. */
export interface TerminalEvents {
  onOpen: () => void;
  onText: (text: string) => void;
  /** The server says why a command was not followed, or why the connection ends. */
  onMessage: (message: string) => void;
  /** The connection failed or was never made. */
  onError: () => void;
  onClose: () => void;
}

type SocketClass = new (address: string, protocols: string[]) => WebSocket;

interface About {
  message?: string;
  done?: string;
}

const PROTOCOL = 'zcbus';
const LATEST_LINES = 200;

/** Text as one word of a command, whatever stands in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * One remote shell, or a service's log, over a websocket: text frames carry text both ways, binary ones JSON about the
 * connection itself.
 */
export class TerminalSession {
  private readonly socket: WebSocket;
  private download: { text: string; done: (text: string) => void; failed: () => void } | undefined;

  constructor(
    { path, ticket }: TerminalTicket,
    private readonly events: TerminalEvents,
    Socket: SocketClass = WebSocket,
  ) {
    this.socket = new Socket(socketAddress(path), [PROTOCOL, ticket]);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('open', events.onOpen);
    this.socket.addEventListener('error', events.onError);
    this.socket.addEventListener('close', () => {
      this.download?.failed();
      events.onClose();
    });
    this.socket.addEventListener('message', ({ data }) => this.receive(data));
  }

  send(text: string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }

  resize(columns: number, rows: number): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(new TextEncoder().encode(JSON.stringify({ resize: [columns, rows] })));
  }

  showLatest(file: string): void {
    this.send(`tail -n ${LATEST_LINES} ${quoted(file)}`);
  }

  follow(file: string): void {
    this.send(`tail -n ${LATEST_LINES} -f ${quoted(file)}`);
  }

  /** Everything that the file holds; rejects when the connection ends before. Nothing of it is shown. */
  read(file: string): Promise<string> {
    return new Promise((done, failed) => {
      this.download = { text: '', done, failed: () => failed(new Error('the connection ended')) };
      this.send(`cat ${quoted(file)}`);
    });
  }

  close(): void {
    this.socket.close();
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') this.note(JSON.parse(new TextDecoder().decode(data)));
    else if (this.download) this.download.text += data;
    else this.events.onText(data);
  }

  private note({ message, done }: About): void {
    const download = this.download;
    if (message !== undefined) {
      this.events.onMessage(message);
      download?.failed();
      this.download = undefined;
    } else if (done === 'cat' && download) {
      this.download = undefined;
      download.done(download.text);
    }
  }
}
