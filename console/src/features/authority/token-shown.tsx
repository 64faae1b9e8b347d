import { App, Descriptions } from 'antd';
import { useTranslation } from 'react-i18next';
import type { IssuedToken } from '@/shared/api';
import { CopyButton } from '@/shared/ui/copy-button';
import { Moment } from '@/shared/ui/figures';

/** Shows a new token, this once. */
export function useTokenShown(): (token: IssuedToken) => void {
  const { t } = useTranslation('authority');
  const { modal } = App.useApp();
  return (token) => {
    modal.success({
      title: t('serviceAccount.tokenTitle', { name: token.name }),
      content: <TokenShown token={token} />,
      width: 680,
      okText: t('serviceAccount.noted'),
    });
  };
}

function TokenShown({ token: { token, expiresAt } }: { token: IssuedToken }) {
  const { t } = useTranslation('authority');
  return (
    <>
      <p>{t('serviceAccount.tokenHint')}</p>
      <Descriptions
        size="small"
        column={1}
        bordered
        items={[
          {
            key: 'token',
            label: t('serviceAccount.token'),
            children: (
              <>
                <code className="token-text" data-secret>
                  {token}
                </code>
                <CopyButton text={token} label={t('serviceAccount.copy')} />
              </>
            ),
          },
          { key: 'ends', label: t('serviceAccount.expiresAt'), children: <Moment at={expiresAt} /> },
        ]}
      />
    </>
  );
}
