import { Alert, Button, Modal, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type DocumentImportRecord, datasourceImportDocument } from '@/shared/api';
import { usePageActive } from '@/shared/pages/page-context';
import './document-import.css';
import { type Description, DescriptionFields } from './import-description';
import { ImportOperations } from './import-operations';

interface Props {
  kind: string;
  /** Whether the document field has a text, which is lost. */
  replaces: boolean;
  onImport: (found: DocumentImportRecord) => void;
  onClose: () => void;
}

const NOTHING: Description = { way: 'address', address: '', text: '' };

/** Two steps: where the description is, and which of its operations become tables. */
export function ImportDialog({ kind, replaces, onImport, onClose }: Props) {
  const { t } = useTranslation('data-source');
  const isActive = usePageActive();
  const [given, setGiven] = useState(NOTHING);
  const [found, setFound] = useState<DocumentImportRecord>();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { isRunning, error, read, forget } = useReading(kind, given);
  const isGiven = given[given.way].trim() !== '';
  const list = async () => {
    const answer = await read([]);
    if (answer) {
      setChosen([]);
      setFound(answer);
    }
  };
  const take = async () => {
    const answer = await read([...chosen]);
    if (answer) onImport(answer);
  };
  const back = () => {
    forget();
    setFound(undefined);
  };
  return (
    <Modal
      title={t('import.title')}
      open={isActive}
      onCancel={onClose}
      width={880}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <Space>
          <Button onClick={onClose}>{t('import.cancel')}</Button>
          {found && (
            <Button onClick={back} disabled={isRunning}>
              {t('import.back')}
            </Button>
          )}
          {found ? (
            <Button type="primary" onClick={take} loading={isRunning} disabled={chosen.length === 0}>
              {t('import.take', { count: chosen.length })}
            </Button>
          ) : (
            <Button type="primary" onClick={list} loading={isRunning} disabled={!isGiven}>
              {t('import.read')}
            </Button>
          )}
        </Space>
      }
    >
      <div className="import-step" aria-busy={isRunning}>
        {error && <Alert type="error" showIcon role="alert" title={error.message} />}
        {found ? (
          <>
            {replaces && <Alert type="warning" showIcon title={t('document.replaceHint')} />}
            <ImportOperations found={found} chosen={chosen} onChoose={setChosen} />
          </>
        ) : (
          <DescriptionFields given={given} onChange={setGiven} onEnter={() => isGiven && list()} />
        )}
      </div>
    </Modal>
  );
}

/** Asks an agent to read the description: once for its operations, once for the document of the chosen ones. */
function useReading(kind: string, { way, address, text }: Description) {
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<Error>();
  const read = async (selected: string[]): Promise<DocumentImportRecord | undefined> => {
    setIsRunning(true);
    setError(undefined);
    const source = way === 'address' ? { address: address.trim() } : { text };
    try {
      return await call(datasourceImportDocument({ body: { kind, selected, ...source } }));
    } catch (reason) {
      setError(reason as Error);
      return undefined;
    } finally {
      setIsRunning(false);
    }
  };
  return { isRunning, error, read, forget: () => setError(undefined) };
}
