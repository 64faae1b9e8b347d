import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '@/shared/ui/error-state';
import { LiveMark } from '@/shared/ui/live-mark';
import { LoadingState } from '@/shared/ui/loading-state';
import { AlertsPanel } from './alerts-panel';
import { HistoryPanel } from './history-panel';
import { HostsPanel } from './hosts-panel';
import { useHistory, useScreen } from './queries';
import { TablesPanel } from './tables-panel';
import { Totals } from './totals';
import { WaysPanel } from './ways-panel';
import './overview-monitor.css';

/** Everything that the viewer may see, for a screen on the wall: what matters in large figures, the busiest first. */
export default function WallPage() {
  const { t } = useTranslation('overview-monitor');
  const wall = useRef<HTMLDivElement>(null);
  const screen = useScreen();
  const history = useHistory();
  if (!screen.data)
    return (
      <>
        <h1 className="visually-hidden">{t('title')}</h1>
        {screen.error ? (
          <ErrorState error={screen.error} onRetry={screen.refetch} />
        ) : (
          <LoadingState rows={10} />
        )}
      </>
    );
  return (
    <div className="wall" ref={wall}>
      <div className="wall-content">
        <header className="wall-head">
          <h1>{t('title')}</h1>
          <LiveMark query={screen} />
          <FullScreenButton of={wall} />
        </header>
        <Totals screen={screen.data} />
        <WaysPanel ways={screen.data.ways} total={screen.data.waysTotal} />
        <HistoryPanel query={history} />
        <TablesPanel tables={screen.data.busyTables} />
        <AlertsPanel alerts={screen.data.alerts} total={screen.data.alertsTotal} />
        <HostsPanel hosts={screen.data.hosts} total={screen.data.hostsTotal} />
      </div>
    </div>
  );
}

/** Whether an element fills the screen; a browser leaves that by itself with Escape. */
function useFullScreen(of: React.RefObject<HTMLElement | null>): [boolean, () => void] {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    const follow = () => setIsFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  const turn = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void of.current?.requestFullscreen();
  };
  return [isFull, turn];
}

function FullScreenButton({ of }: { of: React.RefObject<HTMLElement | null> }) {
  const { t } = useTranslation('overview-monitor');
  const [isFull, turn] = useFullScreen(of);
  if (!document.fullscreenEnabled) return null;
  return (
    <Button
      className="wall-button"
      type="text"
      icon={isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      onClick={turn}
    >
      {t(isFull ? 'leaveFullScreen' : 'fullScreen')}
    </Button>
  );
}
