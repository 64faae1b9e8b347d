import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, downloadListFiles } from '@/shared/api';
import { currentLocale, type Locale, switchLocale } from '@/shared/i18n/locale';
import { bytes } from '@/shared/lib/figures';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import './download.css';

/** What this installation has of its own version; open to everyone. */
export default function DownloadPage() {
  const { t } = useTranslation('download');
  const query = useQuery({
    queryKey: ['download'],
    queryFn: ({ signal }) => call(downloadListFiles({ signal })),
  });
  useEffect(() => {
    document.title = 'ZCBUS';
  }, []);
  return (
    <main className="download-page">
      <header>
        <h1>{query.data ? t('titleOf', { version: query.data.version }) : t('title')}</h1>
        <nav aria-label={t('language')}>
          {(['zh', 'en'] as const satisfies Locale[]).map((key) => (
            <button
              key={key}
              type="button"
              aria-pressed={key === currentLocale()}
              onClick={() => key !== currentLocale() && switchLocale(key)}
            >
              {t(`languages.${key}`)}
            </button>
          ))}
        </nav>
      </header>
      {query.isPending && <LoadingState />}
      {query.error && <ErrorState error={query.error} onRetry={query.refetch} />}
      {query.data?.files.length === 0 && <p>{t('empty')}</p>}
      {query.data?.files.map(({ kind, name, size, sha256 }) => (
        <section key={kind} aria-label={t(`kinds.${kind}`)}>
          <h2>{t(`kinds.${kind}`)}</h2>
          <p>{t(`hints.${kind}`)}</p>
          <a href={`/api/zcbus/download/file?kind=${kind}`} download={name}>
            {name}
          </a>{' '}
          <span>{bytes(size)}</span>
          <p>
            SHA-256 <code>{sha256}</code>
          </p>
        </section>
      ))}
      {query.data && !query.data.files.some(({ kind }) => kind === 'package') && <p>{t('noPackage')}</p>}
      <p>{t('drivers')}</p>
      <Link to={paths.home()}>{t('home')}</Link>
    </main>
  );
}
