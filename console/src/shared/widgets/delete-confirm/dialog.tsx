import { Alert, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/shared/api/errors';
import { notify } from '@/shared/lib/notices';
import { Lines } from '@/shared/ui/loading-state';
import { CodeField } from './code-field';
import { Dependants } from './dependants';
import { isRight, useCodeWanted, useDeletePicture, useRecycleBinDays } from './queries';
import type { DeleteProof, DeleteRequest } from './requests';
import './delete-confirm.css';

interface Props {
  request: DeleteRequest;
  onClose: () => void;
}

const IS_NUMERIC = /^\d[\d.]*$/;

/** Asks for the picture's digits, or warns. Closes by its buttons and Escape, never by a click outside. */
export default function DeleteDialog({ request, onClose }: Props) {
  const { t } = useTranslation(['delete-confirm', 'common']);
  const wanted = useCodeWanted();
  const days = useRecycleBinDays(request.isRecycled === true);
  const captcha = useDeletePicture(wanted.data === true);
  const [code, setCode] = useState('');
  const [isRunning, setRunning] = useState(false);

  function renew(): void {
    setCode('');
    captcha.renew();
  }

  /** What goes to the call, or undefined when the viewer has to read again. */
  async function proof(): Promise<DeleteProof | undefined> {
    if (!wanted.data) return {};
    if (!captcha.picture || !IS_NUMERIC.test(code)) {
      notify('error', t('delete-confirm:empty'));
      return undefined;
    }
    const given = { code, uuid: captcha.picture.uuid };
    if (request.mode === 'post') return given;
    if (await isRight(given.uuid, given.code)) return {};
    notify('error', t('delete-confirm:wrong'));
    renew();
    return undefined;
  }

  async function attempt(): Promise<void> {
    const given = await proof();
    if (!given) return;
    try {
      await request.run(given);
      onClose();
    } catch {
      // The call itself reported why. Its picture is used up.
      if (wanted.data) renew();
    }
  }

  async function submit(): Promise<void> {
    if (isRunning || wanted.data === undefined) return;
    setRunning(true);
    try {
      await attempt();
    } catch (error) {
      notify('error', error instanceof ApiError ? error.message : String(error));
    } finally {
      setRunning(false);
    }
  }

  const kept = days.data
    ? t('delete-confirm:recycled', { count: days.data })
    : t('delete-confirm:recycledSoon');
  return (
    <Modal
      open
      title={request.title}
      okText={request.action ?? t('delete-confirm:delete')}
      okButtonProps={{ danger: true, disabled: wanted.data === undefined }}
      confirmLoading={isRunning}
      cancelText={t('common:action.cancel')}
      cancelButtonProps={{ disabled: isRunning }}
      closable={!isRunning}
      keyboard={!isRunning}
      mask={{ closable: false }}
      onOk={() => void submit()}
      onCancel={() => !isRunning && onClose()}
    >
      <Alert
        type="warning"
        showIcon
        title={
          <>
            {request.content}
            {request.isRecycled && <div>{kept}</div>}
          </>
        }
        className="delete-warning"
      />
      {request.dependants && <Dependants asked={request.dependants} onLeave={onClose} />}
      {wanted.isPending && <Lines rows={1} />}
      {wanted.isError && <Alert type="error" showIcon title={wanted.error.message} role="alert" />}
      {wanted.data && (
        <CodeField
          code={code}
          picture={captcha.picture}
          isFailed={captcha.isFailed}
          onChange={setCode}
          onRenew={renew}
          onSubmit={() => void submit()}
        />
      )}
    </Modal>
  );
}
