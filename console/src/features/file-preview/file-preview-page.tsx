import { FolderOpenOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/shared/ui/empty-state';
import { PageHead } from '@/shared/ui/page-head';
import { FilePreview } from '@/shared/widgets/file-preview';

/** A file of the viewer's own as it looks. It is read in the browser and sent nowhere. */
export default function FilePreviewPage() {
  const { t } = useTranslation('file-preview');
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
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
          if (target.files?.[0]) setFile(target.files[0]);
          // The same file may be chosen again after a change.
          target.value = '';
        }}
      />
      <section className="card" aria-label={t('title')}>
        {file ? (
          <FilePreview name={file.name} content={file} />
        ) : (
          <EmptyState title={t('empty')} hint={t('hint')} />
        )}
      </section>
    </>
  );
}
