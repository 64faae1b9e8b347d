import { UploadOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Radio } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ApiError,
  call,
  type ImportPreview,
  type TextsFile,
  translationImportTexts,
  translationPreviewImport,
} from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { FormDrawer } from '@/shared/ui/form-drawer';
import { ImportReport } from './import-report';

/** Bytes; the server takes no larger request. */
const LARGEST = 8_000_000;

interface Chosen {
  name: string;
  file: TextsFile;
  preview: ImportPreview;
}

interface Props {
  onImported: () => Promise<unknown>;
  onClose: () => void;
}

/** Imports a file of texts, once the viewer has read what it changes. */
export default function ImportDrawer({ onImported, onClose }: Props) {
  const { t } = useTranslation('translation');
  const [chosen, setChosen] = useState<Chosen>();
  const [fault, setFault] = useState<string>();
  const choose = async (file: File) => {
    setChosen(undefined);
    setFault(undefined);
    try {
      setChosen(await read(file));
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : t('import.notTexts', { name: file.name }));
    }
  };
  const run = async ({ replace }: { replace: boolean }) => {
    if (!chosen) {
      setFault(t('import.noFile'));
      return false;
    }
    const body = { file: chosen.file, replace };
    const { written, kept } = await call(translationImportTexts({ body }));
    notify('success', t('import.done', { written, kept }));
    await onImported();
  };
  return (
    <FormDrawer<{ replace: boolean }>
      title={t('import.title')}
      saveLabel={t('import.run')}
      open
      initialValues={{ replace: false }}
      onSubmit={run}
      onClose={onClose}
    >
      <p>{t('import.hint')}</p>
      <FileButton onChoose={choose} />
      {chosen && <p role="status">{t('import.chosen', { name: chosen.name })}</p>}
      {fault && <Alert type="error" showIcon role="alert" title={fault} />}
      {chosen && <ImportReport preview={chosen.preview} />}
      {chosen && chosen.preview.conflictCount > 0 && (
        <Form.Item name="replace" label={t('import.conflictRule')}>
          <Radio.Group
            options={[
              { value: false, label: t('import.keep') },
              { value: true, label: t('import.replace') },
            ]}
          />
        </Form.Item>
      )}
    </FormDrawer>
  );
}

/** Throws ApiError where the server refuses the file, and others where it is no JSON. */
async function read(file: File): Promise<Chosen> {
  if (file.size > LARGEST) throw new RangeError('too large');
  const texts = JSON.parse(await file.text()) as TextsFile;
  return { name: file.name, file: texts, preview: await call(translationPreviewImport({ body: texts })) };
}

function FileButton({ onChoose }: { onChoose: (file: File) => void }) {
  const { t } = useTranslation('translation');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={<UploadOutlined />} onClick={() => input.current?.click()}>
        {t('import.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        // The kit's forms show what is only `hidden`.
        style={{ display: 'none' }}
        accept=".json"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChoose(file);
          // The same file may be chosen again after a change.
          target.value = '';
        }}
      />
    </>
  );
}
