import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, downloadListFiles, driverGetDownload, driverListDownloads } from '@/shared/api';
import { currentToken } from '@/shared/api/token';
import { currentLocale, type Locale, switchLocale } from '@/shared/i18n/locale';
import { bytes } from '@/shared/lib/figures';
import { reportFailure } from '@/shared/lib/report-failure';
import { saveFile } from '@/shared/lib/save-file';
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
      {currentToken() ? <Drivers /> : <p>{t('drivers')}</p>}
      <Link to={paths.home()}>{t('home')}</Link>
    </main>
  );
}

/** What hosts are given of other makers, or of another version; for who may use their containers. */
function Drivers() {
  const { t } = useTranslation('download');
  const query = useQuery({
    queryKey: ['download', 'drivers'],
    // A session that is over, or one without the right, is no fault of this public page.
    queryFn: async ({ signal }) => (await driverListDownloads({ signal })).data?.data ?? [],
  });
  const save = async (id: string, name: string) => {
    const asked = call(driverGetDownload({ query: { id }, parseAs: 'blob' })) as Promise<Blob>;
    saveFile(name, await asked.catch(reportFailure('status')));
  };
  if (!query.data?.length) return <p>{t('drivers')}</p>;
  return (
    <section aria-label={t('distributed')}>
      <h2>{t('distributed')}</h2>
      {query.data.map(({ id, name, size, sha256 }) => (
        <div key={id}>
          <button type="button" onClick={() => void save(id, name).catch(() => undefined)}>
            {name}
          </button>{' '}
          <span>{bytes(size)}</span>
          <p>
            SHA-256 <code>{sha256}</code>
          </p>
        </div>
      ))}
    </section>
  );
}
