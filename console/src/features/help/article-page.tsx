import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call, type HelpSection, helpContents, helpPage } from '@/shared/api';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { paths } from '@/shared/pages/paths';
import { ErrorState } from '@/shared/ui/error-state';
import { LoadingState } from '@/shared/ui/loading-state';
import { pathOfLink } from './links';
import { Text } from './text';
import './help.css';

const defaults = { name: 'index' };

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
    <nav className="help-list" aria-label={t('articles')}>
      {contents.data?.map((section) => <Pages key={section.title} section={section} chosen={chosen} />) ?? (
        <LoadingState rows={8} />
      )}
    </nav>
  );
}

/** The documentation: its pages at the left, the chosen one at the right. */
export default function ArticlePage() {
  const [{ name }] = useUrlState(defaults);
  const pathOf = useCallback((href: string) => pathOfLink(name, href), [name]);
  return (
    <div className="help">
      <Contents chosen={name} />
      <div className="help-text">
        <Text
          key={name}
          name={`page ${name}`}
          load={async () => (await call(helpPage({ body: { name } }))).text}
          pathOf={pathOf}
          contents
        />
      </div>
    </div>
  );
}
