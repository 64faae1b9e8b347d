import { FolderOpenOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/shared/ui/empty-state';
import { PageHead } from '@/shared/ui/page-head';
import { FilePreview } from '@/shared/widgets/file-preview';
import { FileRecords } from './file-records';

/** A file of the viewer's own as it looks. What the browser can read is sent nowhere. */
export default function FilePreviewPage() {
  const { t } = useTranslation('file-preview');
  const input = useRef<HTMLInputElement>(null);
  const [{ file, version }, setChosen] = useState<{ file?: File; version: number }>({ version: 0 });
  return (
    <>
      <PageHead
        title={t('title')}
        actions={
          <Button type="primary" icon={<FolderOpenOutlined />} onClick={() => input.current?.click()}>
            {t('choose')}
          </Button>
        }
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('choose')}
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          if (chosen) setChosen({ file: chosen, version: version + 1 });
          // The same file may be chosen again after a change.
          target.value = '';
        }}
      />
      <section className="card" aria-label={t('title')}>
        {file ? (
          <FilePreview
            name={file.name}
            content={file}
            renderRecords={(content) => <FileRecords name={file.name} content={content} version={version} />}
          />
        ) : (
          <EmptyState title={t('empty')} hint={t('hint')} />
        )}
      </section>
    </>
  );
}
