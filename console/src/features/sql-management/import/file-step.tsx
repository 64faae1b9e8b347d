import { Alert, Button, Progress } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call, importBegin, type UploadRecord } from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { bytes } from '@/shared/lib/figures';
import { CALLED_OFF, sendFile } from '@/shared/widgets/upload/send';

/** Uploads the file. Leaving it calls the upload off. */
export function FileStep({ onUploaded }: { onUploaded: (file: UploadRecord) => void }) {
  const { t } = useTranslation('sql-management');
  const [file, setFile] = useState<File>();
  const [received, setReceived] = useState<number>();
  const [fault, setFault] = useState<string>();
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(CALLED_OFF), []);
  const start = async () => {
    if (!file) return;
    under.current = new AbortController();
    const { signal } = under.current;
    setFault(undefined);
    setReceived(0);
    try {
      const begun = await call(importBegin({ body: { name: file.name, size: file.size }, signal }));
      const done = await sendFile(file, begun, { onProgress: setReceived, signal });
      under.current = undefined;
      onUploaded(done);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      setFault(failureText(error, 'submit'));
      setReceived(undefined);
    }
  };
  return (
    <div className="import-file">
      <label htmlFor="import-file">{t('import.file')}</label>
      <input
        id="import-file"
        type="file"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.parquet,.xlsx"
        disabled={received !== undefined}
        onChange={({ target }) => setFile(target.files?.[0])}
      />
      <p>{t('import.taken')}</p>
      {file && received !== undefined && (
        <Progress
          percent={Math.floor((100 * received) / Math.max(1, file.size))}
          aria-label={t('import.progress')}
          format={() => `${bytes(received)} / ${bytes(file.size)}`}
        />
      )}
      {fault && <Alert type="error" role="alert" title={fault} showIcon />}
      <Button type="primary" disabled={!file} loading={received !== undefined} onClick={() => void start()}>
        {t('import.upload')}
      </Button>
    </div>
  );
}
