import { useEffect, useState } from 'react';

type Cleaner = (html: string) => string;

let cleaner: Promise<Cleaner> | undefined;

/** Marks of text only: no pictures, frames, forms, styles or scripts, and links that leave nothing behind. */
async function loadCleaner(): Promise<Cleaner> {
  const { default: purifier } = await import('dompurify');
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A') return;
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  });
  const rules = {
    ALLOWED_TAGS: [
      'a',
      'b',
      'i',
      'em',
      'strong',
      'u',
      's',
      'code',
      'mark',
      'sub',
      'sup',
      'span',
      'br',
      'small',
    ],
    ALLOWED_ATTR: ['href', 'title', 'lang', 'dir'],
  };
  return (html) => purifier.sanitize(html, rules);
}

function useCleaner(): Cleaner | undefined {
  const [clean, setClean] = useState<Cleaner>();
  useEffect(() => {
    cleaner ??= loadCleaner();
    let isWanted = true;
    cleaner.then((loaded) => isWanted && setClean(() => loaded));
    return () => {
      isWanted = false;
    };
  }, []);
  return clean;
}

/** HTML of a source that is not ours. Nothing of it is shown before it could be cleaned. */
export function SafeHtml({ html }: { html: string }) {
  const clean = useCleaner();
  if (!clean) return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it went through the cleaner just now
  return <span dangerouslySetInnerHTML={{ __html: clean(html) }} />;
}
