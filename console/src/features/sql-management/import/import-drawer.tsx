import { Drawer, Steps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UploadRecord } from '@/shared/api';
import { FileStep } from './file-step';
import { TargetStep } from './target-step';
import './import.css';

/** Brings a file as data into a table: the file, then the table with its columns, then what came of it. */
export default function ImportDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sql-management');
  const [file, setFile] = useState<UploadRecord>();
  return (
    <Drawer open size="90%" title={t('import.title')} onClose={onClose} mask={{ closable: false }}>
      <div className="import-steps">
        <Steps
          size="small"
          current={file ? 1 : 0}
          items={[{ title: t('import.fileStep') }, { title: t('import.tableStep') }]}
        />
        {file ? (
          <TargetStep file={file} onAnother={() => setFile(undefined)} onClose={onClose} />
        ) : (
          <FileStep onUploaded={setFile} />
        )}
      </div>
    </Drawer>
  );
}
