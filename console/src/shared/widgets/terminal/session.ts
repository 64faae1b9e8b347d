/** What a terminal hears of its connection. */
export interface TerminalEvents {
  onOpen: () => void;
  onText: (text: string) => void;
  /** The connection failed or was never made. */
  onError: () => void;
  onClose: () => void;
}

type SocketClass = new (address: string) => WebSocket;

/** Text for a shell as one word, whatever stands in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const LATEST_LINES = 200;
const INTERRUPT = '\u0003';

/** One remote shell, or a container's log, over a websocket that carries text both ways. */
export class TerminalSession {
  private readonly socket: WebSocket;
  private readonly mark = `--end-${Math.random().toString(36).slice(2)}--`;
  private download: { text: string; done: (text: string) => void } | undefined;

  constructor(
    address: string,
    private readonly events: TerminalEvents,
    Socket: SocketClass = WebSocket,
  ) {
    this.socket = new Socket(address);
    this.socket.addEventListener('open', events.onOpen);
    this.socket.addEventListener('error', events.onError);
    this.socket.addEventListener('close', events.onClose);
    this.socket.addEventListener('message', ({ data }) => this.hear(String(data)));
  }

  send(text: string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }

  showLatest(file: string): void {
    this.send(`${INTERRUPT}tail -n ${LATEST_LINES} ${shellWord(file)}\n`);
  }

  follow(file: string): void {
    this.send(`${INTERRUPT}tail -n ${LATEST_LINES} -f ${shellWord(file)}\n`);
  }

  /** Everything that the file holds. The end is known by a mark that the shell prints after it. */
  read(file: string): Promise<string> {
    return new Promise((done) => {
      this.download = { text: '', done };
      // Written in two parts, so that the shell's echo of the command is not taken for the mark itself.
      const [first, second] = [this.mark.slice(0, 5), this.mark.slice(5)];
      this.send(
        `${INTERRUPT}cat ${shellWord(file)}; printf '%s%s\\n' ${shellWord(first)} ${shellWord(second)}\n`,
      );
    });
  }

  close(): void {
    this.socket.close();
  }

  private hear(text: string): void {
    this.events.onText(text);
    if (!this.download) return;
    this.download.text += text;
    const end = this.download.text.indexOf(this.mark);
    if (end < 0) return;
    const { done, text: heard } = this.download;
    this.download = undefined;
    done(withoutEcho(heard.slice(0, end)));
  }
}

/** What a shell printed, without the line in which it repeats the command. */
function withoutEcho(heard: string): string {
  const plain = heard.replaceAll('\r\n', '\n');
  const echo = plain.indexOf("printf '%s%s");
  const begin = echo < 0 ? 0 : plain.indexOf('\n', echo) + 1;
  return plain.slice(begin);
}
