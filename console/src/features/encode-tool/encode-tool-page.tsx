import { useTranslation } from 'react-i18next';
import { PageHead } from '@/shared/ui/page-head';
import { EncodeTool } from './encode-tool';

export default function EncodeToolPage() {
  const { t } = useTranslation('encode-tool');
  return (
    <>
      <PageHead title={t('title')} />
      <section className="card" aria-label={t('title')}>
        <EncodeTool />
      </section>
    </>
  );
}
