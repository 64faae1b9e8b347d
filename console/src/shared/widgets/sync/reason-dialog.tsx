import { Button, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TaskTableRecord } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import { Moment } from '@/shared/ui/figures';
import { Remedy } from '@/shared/ui/remedy';
import { StateTag } from '@/shared/ui/state-tag';
import { LogAroundLink } from '../logs/around-link';
import type { TableVerb } from './queries';

interface Props {
  table: TaskTableRecord;
  /** Whose logs say more. */
  link?: string | undefined;
  /** Optional second action: continue all tables that lack changes. */
  acceptAll?: (() => void) | undefined;
  /** Left out where the viewer may not. */
  act: ((verb: TableVerb, rows: readonly TaskTableRecord[]) => void) | undefined;
  onClose: () => void;
}

/** Why a table is as it is, since when, and what to do about it. */
export default function ReasonDialog({ table, link, acceptAll, act, onClose }: Props) {
  const isActive = usePageActive();
  const { t } = useTranslation('sync');
  return (
    <Modal
      title={table.source}
      open={isActive}
      onCancel={onClose}
      footer={<WaysOn table={table} acceptAll={acceptAll} act={act} onClose={onClose} />}
    >
      <p>
        <StateTag state={table.state} reason={table.reason} /> <Moment at={table.since} />{' '}
        {table.since && link && (
          <LogAroundLink
            at={table.since}
            link={link}
            name={t('table.logNamed', { table: table.source })}
            onLeave={onClose}
          >
            {t('table.log')}
          </LogAroundLink>
        )}
      </p>
      <p className="reason-text">{table.reason?.text}</p>
      {table.reason?.remedy && <Remedy text={table.reason.remedy} />}
    </Modal>
  );
}

const ways = ['reload', 'accept-gap'] as const;

/** Choices for a table with lost changes: continue it alone or with all others. */
function WaysOn({ table, acceptAll, act, onClose }: Omit<Props, 'link'>) {
  const { t } = useTranslation('sync');
  if (!act || !table.actions.includes('accept-gap')) return null;
  const leave = (go: () => void) => () => {
    onClose();
    go();
  };
  return (
    <>
      {ways
        .filter((verb) => table.actions.includes(verb))
        .map((verb) => (
          <Button key={verb} onClick={leave(() => act(verb, [table]))}>
            {t(`table.action.${verb}`)}
          </Button>
        ))}
      {acceptAll && (
        <Button danger onClick={leave(acceptAll)}>
          {t('table.gaps.all')}
        </Button>
      )}
    </>
  );
}
