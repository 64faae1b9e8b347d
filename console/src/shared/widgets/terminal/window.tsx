import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { Button, Modal, Space } from 'antd';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { saveText } from '@/shared/lib/save-file';
import { TerminalSession } from './session';
import { useDrag } from './use-drag';
import '@xterm/xterm/css/xterm.css';
import './terminal.css';

export interface TerminalProps {
  title: string;
  /** Of the websocket: `…/ws/ssh/{deviceId}` for a shell, `…/ws/docker/{deviceId}` where a log file is given. */
  address: string;
  /** Path of a log on the other side; with it the window offers the log commands. */
  logFile?: string;
  onClose: () => void;
}

const ROWS = 28;
const SCROLLBACK = 30;
const FONT_SIZE = 14;
/** Pixels that one character takes in a window that fills the screen. */
const FULL = { width: 10, height: 16 } as const;

function useTerminal(place: RefObject<HTMLDivElement | null>, address: string) {
  const { t } = useTranslation();
  const terminal = useRef<Terminal>(undefined);
  const [session, setSession] = useState<TerminalSession>();
  useEffect(() => {
    if (!place.current) return;
    const screen = new Terminal({
      rows: ROWS,
      scrollback: SCROLLBACK,
      fontSize: FONT_SIZE,
      cursorBlink: true,
    });
    const fit = new FitAddon();
    screen.loadAddon(fit);
    screen.open(place.current);
    // The width is the window's; the rows are the specification's.
    screen.resize(fit.proposeDimensions()?.cols ?? 80, ROWS);
    const opened = new TerminalSession(address, {
      onOpen: () => screen.focus(),
      onText: (text) => screen.write(text),
      onError: () => {
        screen.writeln(t('terminal.failed'));
        notify('error', t('terminal.failedHint'));
      },
      onClose: () => screen.writeln(`\r\n${t('terminal.closed')}`),
    });
    screen.onData((typed) => opened.send(typed));
    terminal.current = screen;
    setSession(opened);
    return () => {
      opened.close();
      screen.dispose();
    };
  }, [place, address, t]);
  return { terminal, session };
}

/** Draggable by its title, as large as the screen if wanted. Closing it ends the connection. */
export default function Window({ title, address, logFile, onClose }: TerminalProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const { terminal, session } = useTerminal(place, address);
  const { place: shift, carry, home } = useDrag();
  const [isFull, setFull] = useState(false);
  const resize = () => {
    const full = !isFull;
    setFull(full);
    home();
    const columns = Math.floor((full ? window.innerWidth : 800) / FULL.width);
    terminal.current?.resize(columns, full ? Math.floor((window.innerHeight - 96) / FULL.height) : ROWS);
  };
  const label = t(isFull ? 'terminal.restore' : 'terminal.fullscreen');
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      width={isFull ? '100vw' : 860}
      className={isFull ? 'terminal-full' : undefined}
      mask={{ closable: false }}
      forceRender
      style={{ transform: `translate(${shift.x}px, ${shift.y}px)` }}
      title={
        <div className="terminal-title" onPointerDown={isFull ? undefined : carry}>
          {title}
        </div>
      }
    >
      <Space className="terminal-bar">
        {logFile && session && <LogCommands file={logFile} session={session} />}
        <Button icon={isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />} onClick={resize}>
          {label}
        </Button>
      </Space>
      <div ref={place} className="terminal-screen" />
    </Modal>
  );
}

function LogCommands({ file, session }: { file: string; session: TerminalSession }) {
  const { t } = useTranslation();
  const [isReading, setReading] = useState(false);
  const save = async () => {
    setReading(true);
    saveText(file.split('/').at(-1) ?? file, await session.read(file), 'text/plain');
    setReading(false);
  };
  return (
    <>
      <Button onClick={() => session.showLatest(file)}>{t('terminal.latest')}</Button>
      <Button onClick={() => session.follow(file)}>{t('terminal.follow')}</Button>
      <Button loading={isReading} onClick={save}>
        {t('terminal.download')}
      </Button>
    </>
  );
}
