import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useUrlState } from '@/shared/hooks/use-url-state';
import { currentLocale } from '@/shared/i18n/locale';
import { paths } from '@/shared/pages/paths';
import { articleNames, isArticle, loadArticle } from './articles';
import { Text } from './text';
import './help.css';

const defaults = { name: articleNames[0] as string };

/** Help articles: their titles at the left, the chosen one beside them. */
export default function ArticlePage() {
  const { t } = useTranslation('help');
  const [{ name }] = useUrlState(defaults);
  const chosen = isArticle(name) ? name : articleNames[0];
  return (
    <div className="help">
      <nav className="help-list" aria-label={t('articles')}>
        {articleNames.map((article) => (
          <Link
            key={article}
            to={paths.article(article)}
            aria-current={article === chosen ? 'page' : undefined}
          >
            {t(`title.${article}`)}
          </Link>
        ))}
      </nav>
      <div className="help-text">
        <Text key={chosen} name={chosen} load={() => loadArticle(chosen, currentLocale())} contents />
      </div>
    </div>
  );
}
