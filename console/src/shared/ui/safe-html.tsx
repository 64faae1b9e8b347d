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
  return remembering((html) => purifier.sanitize(html, rules));
}

const REMEMBERED = 2000;

/** A long table shows the same few texts again and again while it is scrolled; cleaning one costs more than its row. */
function remembering(clean: Cleaner): Cleaner {
  const known = new Map<string, string>();
  return (html) => {
    const found = known.get(html) ?? clean(html);
    if (known.size >= REMEMBERED) known.clear();
    known.set(html, found);
    return found;
  };
}

/** Once the cleaner is there, cells that come into sight are drawn at once instead of twice. */
let ready: Cleaner | undefined;

function useCleaner(): Cleaner | undefined {
  const [clean, setClean] = useState(() => ready);
  useEffect(() => {
    if (ready) return;
    cleaner ??= loadCleaner();
    let isWanted = true;
    cleaner.then((loaded) => {
      ready = loaded;
      if (isWanted) setClean(() => loaded);
    });
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
