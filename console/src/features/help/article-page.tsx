import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { lazy, Suspense, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, type HelpSection, helpContents, helpPage } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { ListSearch } from '@/shared/ui/list-search';
import { LoadingState } from '@/shared/ui/loading-state';
import { MarkdownArticle } from '@/shared/widgets/markdown';
import { pathOfLink } from './links';
import { Picture } from './picture';
import { ARTICLES, useHits } from './queries';
import './help.css';

const ArticlesList = lazy(() => import('./articles-list'));

const defaults = { name: 'index', search: '', show: '' };

function Pages({ section, chosen }: { section: HelpSection; chosen: string }) {
  return (
    <section aria-label={section.title || undefined}>
      {section.title && <h2>{section.title}</h2>}
      {section.pages.map(({ name, title }) => (
        <Link key={name} to={paths.article(name)} aria-current={name === chosen ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </section>
  );
}

function Contents({ chosen }: { chosen: string }) {
  const { t } = useTranslation('help');
  const contents = useQuery({
    queryKey: ['help', 'contents'],
    queryFn: ({ signal }) => call(helpContents({ body: {}, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (contents.error) return <ErrorState error={contents.error} onRetry={contents.refetch} />;
  return (
    <nav aria-label={t('articles')}>
      {contents.data?.map((section) => (
        <Pages key={section.pages[0]?.name} section={section} chosen={chosen} />
      )) ?? <LoadingState rows={8} />}
    </nav>
  );
}

/** The pages and articles that contain a text. */
function Found({ text, chosen }: { text: string; chosen: string }) {
  const { t } = useTranslation('help');
  const found = useHits(text);
  if (found.error) return <ErrorState error={found.error} onRetry={found.refetch} />;
  if (!found.data) return <LoadingState rows={8} />;
  const { hits, more } = found.data;
  return (
    <nav aria-label={t('found')}>
      <p role="status">{t(more ? 'foundMore' : 'foundCount', { count: hits.length })}</p>
      {hits.map(({ name, title, section }) => (
        <Link
          key={name}
          to={`${paths.article(name)}&search=${encodeURIComponent(text)}`}
          aria-current={name === chosen ? 'page' : undefined}
        >
          {title} <small>{section}</small>
        </Link>
      ))}
    </nav>
  );
}

const renderPicture = (address: string, alt: string) => <Picture address={address} alt={alt} />;

/** The documentation and the tenant's articles: read, and by those who may, written. */
export default function ArticlePage() {
  const { t } = useTranslation('help');
  const [{ show }, change] = useUrlState(defaults);
  const mayEdit = useMay(ARTICLES)('edit');
  if (!mayEdit) return <Reader />;
  const isManaging = show === 'manage';
  return (
    <>
      <h1 className="visually-hidden">{t('articles')}</h1>
      <div className="help-switch">
        <Button onClick={() => change({ show: isManaging ? '' : 'manage' })}>
          {t(isManaging ? 'read' : 'manage')}
        </Button>
      </div>
      {isManaging ? (
        <Suspense fallback={<LoadingState rows={6} />}>
          <ArticlesList />
        </Suspense>
      ) : (
        <Reader />
      )}
    </>
  );
}

/** A page; below an article which version it is, and who published it when. */
function Page({ name }: { name: string }) {
  const { t } = useTranslation('help');
  const pathOf = useCallback((href: string) => pathOfLink(name, href), [name]);
  const page = useQuery({
    queryKey: ['help', 'page', name],
    queryFn: ({ signal }) => call(helpPage({ body: { name }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (page.error) return <ErrorState error={page.error} onRetry={page.refetch} />;
  if (!page.data) return <LoadingState rows={8} />;
  const { text, version } = page.data;
  return (
    <>
      <MarkdownArticle source={text} pathOf={pathOf} renderPicture={renderPicture} contents />
      {version && (
        <p className="help-version">
          {t('publishedVersion', { number: version.number, by: version.publishedBy })}{' '}
          <Moment at={version.publishedAt} />
          {version.note && <span> · {version.note}</span>}
        </p>
      )}
    </>
  );
}

/** The pages at the left, the chosen one at the right. */
function Reader() {
  const { t } = useTranslation('help');
  const [{ name, search }, change] = useUrlState(defaults);
  return (
    <div className="help">
      <div className="help-list">
        <ListSearch label={t('search')} value={search} onSearch={(text) => change({ search: text })} />
        {search ? <Found text={search} chosen={name} /> : <Contents chosen={name} />}
      </div>
      <div className="help-text">
        <Page key={name} name={name} />
      </div>
    </div>
  );
}
