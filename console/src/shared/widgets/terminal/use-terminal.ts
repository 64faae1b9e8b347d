import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { TerminalSession, type TerminalTicket } from './session';

export const ROWS = 28;
const SCROLLBACK = 30;
const FONT_SIZE = 14;
const INTERRUPT = '\u0003';
/** An interrupted log is reopened automatically; a shell would be a new one, so the viewer decides. */
const RETRY_AFTER = 10_000;

function newScreen(place: HTMLElement, isLog: boolean): Terminal {
  const screen = new Terminal({
    rows: ROWS,
    scrollback: SCROLLBACK,
    fontSize: FONT_SIZE,
    cursorBlink: !isLog,
    convertEol: isLog,
  });
  const fit = new FitAddon();
  screen.loadAddon(fit);
  screen.open(place);
  // The width is the window's; the rows are the specification's.
  screen.resize(fit.proposeDimensions()?.cols ?? 80, ROWS);
  return screen;
}

/** A screen in `place` and its connection. `open` asks for a ticket; every connection takes one of its own. */
export function useTerminal(place: HTMLElement | null, open: () => Promise<TerminalTicket>, isLog: boolean) {
  const { t } = useTranslation();
  const terminal = useRef<Terminal>(undefined);
  const [session, setSession] = useState<TerminalSession>();
  const [logFile, setLogFile] = useState<string>();
  const [isClosed, setClosed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const asking = useRef(open);
  asking.current = open;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another connection
  useEffect(() => {
    if (!place) return;
    const screen = newScreen(place, isLog);
    terminal.current = screen;
    let left = false;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let opened: TerminalSession | undefined;
    const again = () => setAttempt((before) => before + 1);
    const fail = (reason: string) => {
      screen.writeln(reason);
      setClosed(true);
      if (isLog) retry = setTimeout(again, RETRY_AFTER);
    };
    const connect = (ticket: TerminalTicket) => {
      if (left) return;
      setLogFile(ticket.logFile);
      opened = new TerminalSession(ticket, {
        onOpen: () => {
          opened?.resize(screen.cols, screen.rows);
          if (ticket.logFile) opened?.showLatest(ticket.logFile);
          screen.focus();
        },
        onText: (text) => screen.write(text),
        onMessage: (message) => screen.writeln(`\r\n${message}`),
        onError: () => {
          notify(isLog ? 'warning' : 'error', t(isLog ? 'terminal.logFailed' : 'terminal.failedHint'));
          fail(t('terminal.failed'));
        },
        onClose: () => {
          screen.writeln(`\r\n${t('terminal.closed')}`);
          setClosed(true);
        },
      });
      setSession(opened);
      screen.onData((typed) => {
        if (!isLog || typed === INTERRUPT) opened?.send(typed);
      });
      screen.onResize(({ cols, rows }) => opened?.resize(cols, rows));
    };
    setClosed(false);
    asking.current().then(connect, (error: unknown) => {
      if (left) return;
      const reason = error instanceof ApiError ? error.message : t('terminal.failed');
      notify('error', reason);
      fail(reason);
    });
    return () => {
      left = true;
      clearTimeout(retry);
      opened?.close();
      screen.dispose();
    };
  }, [place, isLog, t, attempt]);

  return { terminal, session, logFile, isClosed, reconnect: () => setAttempt((before) => before + 1) };
}
