import { Alert, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HostRecord, JoinOffer } from '@/shared/api';
import { time } from '@/shared/lib/figures';
import { CopyButton } from '@/shared/ui/copy-button';
import { LookMark } from '@/shared/ui/state-tag';
import { useContainer } from './queries';
import './container.css';

interface Props {
  offer: JoinOffer;
  onClose: () => void;
}

/** The one command that makes a host one of the container's, and whether it has appeared. */
export default function JoinDialog({ offer, onClose }: Props) {
  const { t } = useTranslation('container');
  const command = `zcbus agent --url ${window.location.origin} --join ${offer.token}`;
  return (
    <Modal
      title={t('joinTitle', { name: offer.containerName })}
      open
      onCancel={onClose}
      footer={null}
      width={760}
      mask={{ closable: false }}
    >
      <p>{t('joinHint')}</p>
      <div className="container-command">
        <code>{command}</code>
        <CopyButton text={command} label={t('copyCommand')} wide />
      </div>
      <Alert type="warning" showIcon title={t('joinOnce', { time: time(offer.expiresAt) })} />
      <p role="status">
        <Arrival id={offer.id} />
      </p>
    </Modal>
  );
}

const mark = ({ id, registeredAt }: HostRecord) => `${id} ${registeredAt}`;

/** Whether a host has made itself known since the dialog opened. */
function Arrival({ id }: { id: string }) {
  const { t } = useTranslation('container');
  const { data } = useContainer(id);
  const [known, setKnown] = useState<ReadonlySet<string>>();
  if (data && !known) setKnown(new Set(data.agents.map(mark)));
  const joined = known && data?.agents.find((host) => !known.has(mark(host)));
  if (joined) return <LookMark look="good" label={t('joined', { host: joined.host })} />;
  return <LookMark look="busy" label={t('joinWaiting')} />;
}
