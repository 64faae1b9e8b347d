import { expect, it, vi } from 'vitest';
import { setAddresses } from '@/shared/api/addresses';
import { quoted, TerminalSession } from './session';

vi.stubGlobal('window', { location: { href: 'https://host/zcbus/demo' } });

/** A socket that a test speaks for. */
class Socket extends EventTarget {
  static last: Socket;
  readonly OPEN = 1;
  readyState = 1;
  sent: (string | Uint8Array)[] = [];
  constructor(
    readonly address: string,
    readonly protocols: string[],
  ) {
    super();
    Socket.last = this;
  }
  send(data: string | Uint8Array) {
    this.sent.push(data);
  }
  close() {
    this.readyState = 3;
  }
  say(data: string | object) {
    const frame = typeof data === 'string' ? data : new TextEncoder().encode(JSON.stringify(data));
    this.dispatchEvent(new MessageEvent('message', { data: frame }));
  }
}

function open() {
  const events = {
    onOpen: vi.fn(),
    onText: vi.fn(),
    onMessage: vi.fn(),
    onError: vi.fn(),
    onClose: vi.fn(),
  };
  const session = new TerminalSession({ path: '/ws/ssh/7', ticket: 'once' }, events, Socket as never);
  return { session, events, socket: Socket.last };
}

it('opens at the base address of the system info when there is one', () => {
  setAddresses({ websocketUrl: 'wss://ws.example:9443' });
  const { socket } = open();
  setAddresses({});
  expect(socket.address).toBe('wss://ws.example:9443/ws/ssh/7');
});

it('opens with its ticket, passes text both ways and reports the state of the connection', () => {
  const { session, events, socket } = open();
  expect([socket.address, socket.protocols]).toEqual(['wss://host/ws/ssh/7', ['zcbus', 'once']]);
  socket.dispatchEvent(new Event('open'));
  socket.say('$ ');
  session.send('ls\n');
  session.resize(120, 40);
  socket.say({ end: 'socket-idle', message: 'Nothing was typed' });
  socket.dispatchEvent(new Event('error'));
  socket.dispatchEvent(new Event('close'));
  expect(events.onOpen).toHaveBeenCalled();
  expect(events.onText).toHaveBeenCalledWith('$ ');
  expect(events.onMessage).toHaveBeenCalledWith('Nothing was typed');
  expect(socket.sent[0]).toBe('ls\n');
  expect(new TextDecoder().decode(socket.sent[1] as Uint8Array)).toBe('{"resize":[120,40]}');
  expect(events.onError).toHaveBeenCalled();
  expect(events.onClose).toHaveBeenCalled();
});

it('says nothing into a connection that is not open', () => {
  const { session, socket } = open();
  session.close();
  session.send('ls\n');
  session.resize(80, 24);
  expect(socket.sent).toEqual([]);
});

it('a file’s name is one word, whatever stands in it', () => {
  expect(quoted("a b'; rm -rf /")).toBe("'a b'\\''; rm -rf /'");
  const { session, socket } = open();
  session.showLatest('a b.log');
  session.follow('a b.log');
  expect(socket.sent).toEqual(["tail -n 200 'a b.log'", "tail -n 200 -f 'a b.log'"]);
});

it('reads a whole file up to its end, and shows nothing of it', async () => {
  const { session, events, socket } = open();
  const text = session.read('a.log');
  expect(socket.sent).toEqual(["cat 'a.log'"]);
  socket.say('one\nt');
  socket.say('wo\n');
  socket.say({ done: 'cat' });
  expect(await text).toBe('one\ntwo\n');
  socket.say('after');
  expect(events.onText.mock.calls).toEqual([['after']]);
});

it('a file that cannot be read to its end is no file', async () => {
  const { session, socket } = open();
  const refused = session.read('a.log');
  socket.say({ error: 'log-absent', message: 'no log' });
  await expect(refused).rejects.toThrow();
  const cut = session.read('a.log');
  socket.dispatchEvent(new Event('close'));
  await expect(cut).rejects.toThrow();
});
