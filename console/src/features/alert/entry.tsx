import {
  AudioMutedOutlined,
  CheckCircleOutlined,
  CheckOutlined,
  ExclamationCircleOutlined,
  InfoCircleOutlined,
  ToolOutlined,
  UserOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AlertRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { localTimes } from '@/shared/lib/local-times';
import { customerPaths, paths } from '@/shared/pages/paths';
import { Moment } from '@/shared/ui/figures';
import { Remedy } from '@/shared/ui/remedy';
import { LogAroundLink } from '@/shared/widgets/logs/around-link';
import { MESSAGES, status, useAcknowledge, useMarkRead, useResolve } from './queries';

const AssignDialog = lazy(() => import('./assign-dialog'));
const MuteDialog = lazy(() => import('./mute-dialog'));

type Level = 'general' | 'attention' | 'important';

const levels: Record<number, Level> = { 0: 'general', 1: 'attention', 3: 'important' };

const icons: Record<Level, ReactNode> = {
  general: <InfoCircleOutlined />,
  attention: <WarningOutlined />,
  important: <ExclamationCircleOutlined />,
};

function LevelTag({ level }: { level: Level }) {
  const { t } = useTranslation('alert');
  return (
    <span className="alert-level" data-level={level}>
      {icons[level]}
      {t(`level.${level}`)}
    </span>
  );
}

const OF_TASK = new Set([
  'table-failed',
  'tables-suspended',
  'row-errors',
  'differences',
  'lag',
  'changes-expiring',
  'full-expiring',
]);

/** Page that shows the alert's subject: a table on its task's page, or on the sheet of a subscriber or a process without one. */
function placeOf({ kind, linkId, taskId, customerId, clientType }: AlertRecord): string | undefined {
  if (kind === 'computation-failed') return customerPaths.stream.masters();
  if (kind === 'heartbeat') return paths.linkMonitor();
  if (kind === 'changes-unaccounted') return paths.reconciliation('difference');
  if (kind === 'row-errors' && linkId) return paths.syncLinkErrors(linkId);
  if (OF_TASK.has(kind))
    return taskId ? paths.syncTask(taskId) : customerPaths[clientType].sheet({ customer: customerId });
  return linkId ? paths.syncLink(linkId) : undefined;
}

interface AlertEntryProps {
  alert: AlertRecord;
  onLeave: () => void;
}

/** What happened, to what, since when, why, and what to do; whether it is over. */
export function AlertEntry({ alert, onLeave }: AlertEntryProps) {
  const { t } = useTranslation('alert');
  const markRead = useMarkRead();
  const acknowledge = useAcknowledge();
  const resolve = useResolve();
  const mayOperate = useMay(MESSAGES)('operate');
  const [dialog, setDialog] = useState<'assign' | 'mute'>();
  const level = levels[alert.level] ?? 'general';
  const place = placeOf(alert);
  const content = localTimes(alert.content);
  const close = () => setDialog(undefined);
  return (
    <li className="alert-entry" data-level={level}>
      <div className="alert-head">
        <LevelTag level={level} />
        {alert.recoveredTime && (
          <span className="alert-over">
            <CheckCircleOutlined /> {t('recovered')} <Moment at={alert.recoveredTime} />
          </span>
        )}
        <span className="alert-when">
          {alert.customerName} · <Moment at={alert.recordTime} />
        </span>
      </div>
      <p className="alert-content">{content}</p>
      {alert.reason && <p className="alert-reason">{localTimes(alert.reason.text)}</p>}
      <Handling alert={alert} />
      {alert.remedy && !alert.recoveredTime && <Remedy text={alert.remedy} />}
      <div className="alert-actions">
        {place && (
          <Link to={place} onClick={onLeave}>
            {t('goTo')}
          </Link>
        )}
        {alert.reason && (
          <LogAroundLink
            at={alert.updateTime}
            link={alert.linkId ?? ''}
            name={t('logNamed', { content })}
            onLeave={onLeave}
          >
            {t('log')}
          </LogAroundLink>
        )}
        {alert.open && !alert.acknowledgedTime && (
          <Button
            type="link"
            loading={acknowledge.isPending}
            aria-label={t('acknowledgeNamed', { content })}
            onClick={() => acknowledge.mutate(alert.id)}
          >
            {t('acknowledge')}
          </Button>
        )}
        {alert.open && !alert.resolvedTime && mayOperate && (
          <Button
            type="link"
            loading={resolve.isPending}
            aria-label={t('resolveNamed', { content })}
            onClick={() => resolve.mutate(alert.id)}
          >
            {t('resolve')}
          </Button>
        )}
        {alert.open && mayOperate && (
          <Button type="link" aria-label={t('assignNamed', { content })} onClick={() => setDialog('assign')}>
            {t('assign')}
          </Button>
        )}
        {alert.objectName !== null && mayOperate && (
          <Button type="link" aria-label={t('muteNamed', { content })} onClick={() => setDialog('mute')}>
            {t('mute')}
          </Button>
        )}
        {alert.status === status.unread && (
          <Button
            type="link"
            loading={markRead.isPending}
            aria-label={t('markOneNamed', { content })}
            onClick={() => markRead.mutate(alert.id)}
          >
            {t('markOne')}
          </Button>
        )}
      </div>
      <Suspense fallback={null}>
        {dialog === 'assign' && <AssignDialog alert={alert} onClose={close} />}
        {dialog === 'mute' && <MuteDialog alert={alert} onClose={close} />}
      </Suspense>
    </li>
  );
}

/** Who knows of it, who looks after it, and until when it is muted. */
function Handling({ alert }: { alert: AlertRecord }) {
  const { t } = useTranslation('alert');
  if (
    !alert.acknowledgedTime &&
    !alert.resolvedTime &&
    !alert.assigneeName &&
    !alert.mutedUntil &&
    !alert.muted
  )
    return null;
  return (
    <p className="alert-handling">
      {alert.acknowledgedTime && (
        <span>
          <CheckOutlined /> {t('acknowledgedBy', { name: alert.acknowledgedBy })}{' '}
          <Moment at={alert.acknowledgedTime} />
        </span>
      )}
      {alert.resolvedTime && (
        <span>
          <ToolOutlined /> {t('resolvedBy', { name: alert.resolvedBy })} <Moment at={alert.resolvedTime} />
          {alert.open && ` · ${t('resolvedUnproved')}`}
        </span>
      )}
      {alert.assigneeName && (
        <span>
          <UserOutlined /> {t('assignedTo', { name: alert.assigneeName })}
        </span>
      )}
      {alert.mutedUntil && (
        <span>
          <AudioMutedOutlined /> {t('mutedUntil')} <Moment at={alert.mutedUntil} />
        </span>
      )}
      {alert.muted && (
        <span>
          <AudioMutedOutlined /> {t('notNotified')}
        </span>
      )}
    </p>
  );
}
