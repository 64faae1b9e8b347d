import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedInUser } from '../session';

const Palette = lazy(() => import('@/features/search/palette'));
const SEARCH = 'resource/search';

/** The search from any page, for users who may search; Ctrl+K opens it. */
export function Finder() {
  const { t } = useTranslation('frame');
  const isAllowed = useSignedInUser()?.menuPermission?.includes(SEARCH) ?? false;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isAllowed) return;
    const press = (event: KeyboardEvent) => {
      const isKey = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [isAllowed]);
  if (!isAllowed) return null;
  return (
    <>
      <Button
        type="text"
        size="middle"
        icon={<SearchOutlined />}
        aria-label={t('search')}
        title={t('searchHint')}
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      />
      <Suspense fallback={null}>{isOpen && <Palette onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
