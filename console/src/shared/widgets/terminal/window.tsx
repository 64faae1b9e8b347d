import { FullscreenExitOutlined, FullscreenOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Modal, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '@/shared/lib/notices';
import { saveText } from '@/shared/lib/save-file';
import type { TerminalSession, TerminalTicket } from './session';
import { useDrag } from './use-drag';
import { ROWS, useTerminal } from './use-terminal';
import '@xterm/xterm/css/xterm.css';
import './terminal.css';

export interface TerminalProps {
  title: string;
  /** Asks for the ticket of a shell, or of a log. */
  open: () => Promise<TerminalTicket>;
  /** A log is watched with commands; nothing is typed. */
  isLog?: boolean;
  onClose: () => void;
}

/** Pixels that one character takes in a window that fills the screen. */
const FULL = { width: 10, height: 16 } as const;

/** Draggable by its title, as large as the screen if wanted. Closing it ends the connection. */
export default function Window({ title, open, isLog = false, onClose }: TerminalProps) {
  const { t } = useTranslation();
  // A dialog draws what it holds after itself.
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  const { terminal, session, logFile, isClosed, reconnect } = useTerminal(place, open, isLog);
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
        {logFile && session && <LogCommands file={logFile} session={session} disabled={isClosed} />}
        {isClosed && (
          <Button icon={<ReloadOutlined />} onClick={reconnect}>
            {t('terminal.reconnect')}
          </Button>
        )}
        <Button icon={isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />} onClick={resize}>
          {label}
        </Button>
      </Space>
      <div ref={setPlace} className="terminal-screen" />
    </Modal>
  );
}

interface LogCommandsProps {
  file: string;
  session: TerminalSession;
  disabled: boolean;
}

function LogCommands({ file, session, disabled }: LogCommandsProps) {
  const { t } = useTranslation();
  const [isReading, setReading] = useState(false);
  const save = async () => {
    setReading(true);
    try {
      saveText(file, await session.read(file), 'text/plain');
    } catch {
      notify('error', t('terminal.downloadFailed'));
    }
    setReading(false);
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => session.showLatest(file)}>
        {t('terminal.latest')}
      </Button>
      <Button disabled={disabled} onClick={() => session.follow(file)}>
        {t('terminal.follow')}
      </Button>
      <Button disabled={disabled} loading={isReading} onClick={save}>
        {t('terminal.download')}
      </Button>
    </>
  );
}
