import { Button, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { duration } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { Share } from '@/shared/ui/figures';
import { RefusableButton } from '@/shared/ui/refusable-button';
import type { FollowedCall } from './follow';
import { useCancelling, useProgress } from './queries';
import './call-progress.css';

/** What is done sooner needs no dialog: it would only flicker. */
const PATIENCE = 1000;

/** Progress of a call, with a cancel button. The call continues when the dialog closes. */
export default function ProgressDialog({ followed }: { followed: FollowedCall }) {
  const [stage, setStage] = useState<'waiting' | 'shown' | 'closed'>('waiting');
  useEffect(() => {
    const timer = setTimeout(() => setStage('shown'), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (stage !== 'shown') return null;
  return <Shown followed={followed} onClose={() => setStage('closed')} />;
}

/** An estimate is not shown to the millisecond. */
const wholeSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000)) * 1000;

function Shown({ followed, onClose }: { followed: FollowedCall; onClose: () => void }) {
  const { t } = useTranslation();
  const { data } = useProgress(followed.key);
  const cancelling = useCancelling(followed.key);
  const cancel = async () => {
    if (!(await cancelling.mutateAsync())) notify('info', t('progress.tooLate'));
  };
  const refused = data?.cancellable ? undefined : t(data ? 'progress.tooLate' : 'progress.asking');
  return (
    <Modal
      // Not after what was asked for: the drawer that it was asked in is called so.
      title={t('progress.title')}
      open
      onCancel={onClose}
      mask={{ closable: false }}
      width={480}
      footer={[
        <Button key="close" onClick={onClose}>
          {t('progress.background')}
        </Button>,
        <RefusableButton
          key="cancel"
          danger
          refused={refused}
          loading={cancelling.isPending}
          // A refusal is answered by the notice that every failed change gets.
          onClick={() => cancel().catch(() => undefined)}
        >
          {t('progress.cancel')}
        </RefusableButton>,
      ]}
    >
      <div className="call-progress">
        <p className="call-progress-asked">{followed.title}</p>
        <p role="status">{data?.text ?? t('progress.asking')}</p>
        {data && data.total > 0 && <Share done={data.done} total={data.total} />}
        {data && data.timeLeftMs !== null && (
          <p className="call-progress-left tabular">
            {t('progress.left', { time: duration(wholeSeconds(data.timeLeftMs)) })}
          </p>
        )}
      </div>
    </Modal>
  );
}
