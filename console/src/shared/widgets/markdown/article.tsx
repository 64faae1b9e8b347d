import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import Markdown from 'react-markdown';
import { Link } from 'react-router';
import remarkGfm from 'remark-gfm';
import { isExternalAddress } from '@/shared/lib/text';
import { CopyButton } from '@/shared/ui/copy-button';
import { rehypeAnchors } from './anchors';
import './article.css';

export interface ArticleProps {
  /** CommonMark with tables, task lists and bare links. HTML in it is shown as text, never run. */
  source: string;
  /** Shows a list of the article's headings of level 2 and 3 above it. */
  contents?: boolean;
  /** The console's path of a link; nothing where it leads elsewhere. */
  pathOf?: (href: string) => string | undefined;
  /** Draws a picture; without it the browser loads it, which the platform's policy allows from here only. */
  renderPicture?: (address: string, alt: string) => ReactNode;
}

/** Addresses outside of the console open in a tab of their own, which learns nothing of this one. */
function ArticleLink({ href, children, pathOf }: ComponentProps<'a'> & Pick<ArticleProps, 'pathOf'>) {
  const path = href && pathOf?.(href);
  if (path) return <Link to={path}>{children}</Link>;
  const outside = isExternalAddress(href ?? '') ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  return (
    <a href={href} {...outside}>
      {children}
    </a>
  );
}

function CodeBlock({ children }: ComponentProps<'pre'>) {
  const { t } = useTranslation();
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className="article-code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
      <pre ref={block} tabIndex={0}>
        {children}
      </pre>
      <CopyButton text={() => block.current?.textContent ?? ''} label={t('action.copyCode')} />
    </div>
  );
}

const remarkPlugins = [remarkGfm];
const rehypePlugins = [rehypeAnchors];

interface Heading {
  id: string;
  text: string;
  level: string;
}

function useHeadings(article: RefObject<HTMLElement | null>, source: string): readonly Heading[] {
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source has other headings
  useLayoutEffect(() => {
    const found = [...(article.current?.querySelectorAll('h2, h3') ?? [])];
    setHeadings(
      found.map(({ id, textContent, tagName }) => ({ id, text: textContent, level: tagName[1] ?? '' })),
    );
  }, [article, source]);
  return headings;
}

/** Brings the heading that the address names into sight. */
function useAnchor(article: RefObject<HTMLElement | null>, source: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source has other headings
  useEffect(() => {
    const anchor = decodeURIComponent(window.location.hash.slice(1));
    if (anchor) article.current?.querySelector(`#${CSS.escape(anchor)}`)?.scrollIntoView();
  }, [article, source]);
}

function Contents({ headings }: { headings: readonly Heading[] }) {
  const { t } = useTranslation();
  const title = useId();
  return (
    <nav className="article-contents" aria-labelledby={title}>
      <strong id={title}>{t('article.contents')}</strong>
      <ol>
        {headings.map(({ id, text, level }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

export default function Article({ source, contents = false, pathOf, renderPicture }: ArticleProps) {
  const components = useMemo(
    () => ({
      a: (props: ComponentProps<'a'>) => <ArticleLink {...props} pathOf={pathOf} />,
      pre: CodeBlock,
      ...(renderPicture && {
        img: ({ src, alt }: ComponentProps<'img'>) => renderPicture(String(src ?? ''), alt ?? ''),
      }),
    }),
    [pathOf, renderPicture],
  );
  const article = useRef<HTMLElement>(null);
  const headings = useHeadings(article, source);
  useAnchor(article, source);
  return (
    <article ref={article} className="article">
      {contents && headings.length > 1 && <Contents headings={headings} />}
      <Markdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} components={components}>
        {source}
      </Markdown>
    </article>
  );
}
