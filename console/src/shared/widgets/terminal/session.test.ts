import { expect, it, vi } from 'vitest';
import { shellWord, TerminalSession } from './session';

/** A socket that a test speaks for. */
class Socket extends EventTarget {
  static last: Socket;
  readonly OPEN = 1;
  readyState = 1;
  sent: string[] = [];
  constructor(readonly address: string) {
    super();
    Socket.last = this;
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.readyState = 3;
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function open() {
  const events = { onOpen: vi.fn(), onText: vi.fn(), onError: vi.fn(), onClose: vi.fn() };
  const session = new TerminalSession('ws://host/ws/ssh/7', events, Socket as never);
  return { session, events, socket: Socket.last };
}

it('passes text both ways and tells what becomes of the connection', () => {
  const { session, events, socket } = open();
  socket.dispatchEvent(new Event('open'));
  socket.say('$ ');
  session.send('ls\n');
  socket.dispatchEvent(new Event('error'));
  socket.dispatchEvent(new Event('close'));
  expect(events.onOpen).toHaveBeenCalled();
  expect(events.onText).toHaveBeenCalledWith('$ ');
  expect(socket.sent).toEqual(['ls\n']);
  expect(events.onError).toHaveBeenCalled();
  expect(events.onClose).toHaveBeenCalled();
});

it('says nothing into a connection that is not open', () => {
  const { session, socket } = open();
  session.close();
  session.send('ls\n');
  expect(socket.sent).toEqual([]);
});

it('a file’s name is one word of the shell, whatever stands in it', () => {
  expect(shellWord("a b'; rm -rf /")).toBe("'a b'\\''; rm -rf /'");
  const { session, socket } = open();
  session.showLatest('/var/log/a b.log');
  session.follow('/var/log/a b.log');
  expect(socket.sent).toEqual([
    "\u0003tail -n 200 '/var/log/a b.log'\n",
    "\u0003tail -n 200 -f '/var/log/a b.log'\n",
  ]);
});

it('reads a whole file up to the mark, without the echo of its own command', async () => {
  const { session, socket } = open();
  const text = session.read('/a.log');
  const [command = ''] = socket.sent;
  const [, first, second] = /'(--[^']*)' '([^']*)'/.exec(command) ?? [];
  socket.say(`$ ${command.slice(1).replace('\n', '\r\n')}one\r\nt`);
  socket.say(`wo\r\n${first}`);
  socket.say(`${second}\r\n$ `);
  expect(await text).toBe('one\ntwo\n');
});
