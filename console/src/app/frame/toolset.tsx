import { ToolOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHref } from 'react-router';
import { paths } from '@/shared/pages/paths';
import { useSignedInUser } from '../session';

const EncodeToolDrawer = lazy(() => import('@/features/encode-tool/encode-tool-drawer'));

/** The tools in the order of the dropdown, and the permission entry that offers each. */
const entries = {
  article: 'Resource.Article',
  disclaimers: 'Toolset.disclaimers',
  encodeTool: 'Resource.EncodeTool',
} as const;

type Tool = keyof typeof entries;

/** Opens a page of the console in a browser tab of its own. */
function openPage(address: string): void {
  window.open(address, '_blank', 'noopener');
}

/** Small tools; each is shown to users with its menu entry. */
export function Toolset() {
  const { t } = useTranslation('frame');
  const granted = useSignedInUser()?.menuPermission ?? [];
  const [isEncoding, setEncoding] = useState(false);
  const article = useHref(paths.article());
  const disclaimers = useHref(paths.disclaimers());
  const actions: Record<Tool, () => void> = {
    article: () => openPage(article),
    disclaimers: () => openPage(disclaimers),
    encodeTool: () => setEncoding(true),
  };
  const items = (Object.keys(entries) as Tool[])
    .filter((tool) => granted.includes(entries[tool]))
    .map((tool) => ({ key: tool, label: t(`tool.${tool}`), onClick: actions[tool] }));
  if (items.length === 0) return null;
  return (
    <>
      <Dropdown trigger={['click']} autoFocus menu={{ items }}>
        <Button type="text" size="middle" icon={<ToolOutlined />} aria-label={t('toolset')}>
          {t('toolset')}
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {isEncoding && <EncodeToolDrawer open onClose={() => setEncoding(false)} />}
      </Suspense>
    </>
  );
}
