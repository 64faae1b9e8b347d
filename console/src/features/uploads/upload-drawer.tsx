import { Alert, Button, Drawer, Progress, Space } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ApiError,
  call,
  type UploadLimits,
  type UploadRecord,
  uploadBeginFile,
  uploadBeginObject,
  uploadBeginPicture,
  uploadGetState,
} from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { bytes } from '@/shared/lib/figures';
import { notify } from '@/shared/lib/notices';
import { ListChoice } from '@/shared/ui/list-choice';
import { CALLED_OFF, sendFile } from '@/shared/widgets/upload/send';
import { useRefresh } from './queries';
import './uploads.css';

const BEGIN = { file: uploadBeginFile, picture: uploadBeginPicture, object: uploadBeginObject };
type Kind = keyof typeof BEGIN;

interface Props {
  limits: UploadLimits;
  /** The interrupted upload that is continued; undefined: a new one. */
  continued?: UploadRecord;
  onClose: () => void;
}

/** Sends a file with its progress. Closing it calls the upload off. */
export default function UploadDrawer({ limits, continued, onClose }: Props) {
  const { t } = useTranslation(['uploads', 'common']);
  const [kind, setKind] = useState<Kind>('file');
  const [file, setFile] = useState<File>();
  const sending = useSending(file, kind, continued, onClose);
  const isOther = Boolean(
    continued && file && (file.size !== continued.size || file.name !== continued.name),
  );
  const isTooLarge = Boolean(file && file.size > limits.file);
  const fault = isOther
    ? t('otherFile')
    : isTooLarge
      ? t('tooLarge', { most: bytes(limits.file) })
      : sending.fault;
  const cancel = () => {
    sending.cancel();
    onClose();
  };
  return (
    <Drawer
      open
      size="40%"
      title={continued ? t('continueTitle', { name: continued.name }) : t('upload')}
      onClose={cancel}
      mask={{ closable: false }}
      footer={
        <Space>
          <Button
            type="primary"
            disabled={!file || isOther || isTooLarge}
            loading={sending.received !== undefined}
            onClick={() => void sending.start()}
          >
            {t('send')}
          </Button>
          <Button onClick={cancel}>{t('common:action.cancel')}</Button>
        </Space>
      }
    >
      <div className="upload-form">
        {!continued && (
          <label htmlFor="upload-kind">
            {t('keptAs')}
            <ListChoice
              id="upload-kind"
              label={t('keptAs')}
              value={kind}
              onChange={setKind}
              options={(['file', 'picture', ...(limits.objectStore ? ['object' as const] : [])] as const).map(
                (value) => ({ value, label: t(`kept.${value}`) }),
              )}
            />
          </label>
        )}
        <label htmlFor="upload-file">
          {t('file')}
          <input
            id="upload-file"
            type="file"
            disabled={sending.received !== undefined}
            onChange={({ target }) => setFile(target.files?.[0])}
          />
        </label>
        <p>{t(`taken.${kind === 'picture' ? 'picture' : 'file'}`, { most: bytes(limits.file) })}</p>
        {limits.scanned && <p>{t('scanned')}</p>}
        {file && sending.received !== undefined && (
          <Progress
            percent={Math.floor((100 * sending.received) / file.size)}
            aria-label={t('progress')}
            format={() => `${bytes(sending.received)} / ${bytes(file.size)}`}
          />
        )}
        {fault && <Alert type="error" role="alert" title={fault} showIcon />}
      </div>
    </Drawer>
  );
}

function useSending(
  file: File | undefined,
  kind: Kind,
  continued: UploadRecord | undefined,
  onDone: () => void,
) {
  const { t } = useTranslation('uploads');
  const refresh = useRefresh();
  const [received, setReceived] = useState<number>();
  const [fault, setFault] = useState<string>();
  const under = useRef<AbortController>(undefined);
  // A page that is left stops sending; its upload can be continued.
  useEffect(() => () => under.current?.abort(), []);
  const start = async () => {
    if (!file) return;
    under.current = new AbortController();
    const { signal } = under.current;
    setFault(undefined);
    setReceived(continued?.received ?? 0);
    try {
      const body = { name: file.name, size: file.size };
      const begun = await call(
        continued ? uploadGetState({ body: { id: continued.id } }) : BEGIN[kind]({ body, signal }),
      );
      await sendFile(file, begun, { onProgress: setReceived, signal });
      under.current = undefined;
      notify('success', t('uploaded', { name: file.name }));
      onDone();
    } catch (error) {
      if (!signal.aborted && error instanceof ApiError) setFault(failureText(error, 'submit'));
      else if (!signal.aborted) throw error;
    } finally {
      setReceived(undefined);
      await refresh();
    }
  };
  return { received, fault, start, cancel: () => under.current?.abort(CALLED_OFF) };
}
