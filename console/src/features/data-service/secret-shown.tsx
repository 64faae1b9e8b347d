import { Descriptions } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AppSecret } from '@/shared/api';
import { CopyButton } from '@/shared/ui/copy-button';

/** An app's key and its new secret, which cannot be shown again. */
export function SecretShown({ secret: { key, secret } }: { secret: AppSecret }) {
  const { t } = useTranslation('data-service');
  return (
    <>
      <p>{t('app.secretHint')}</p>
      <Descriptions
        size="small"
        column={1}
        bordered
        items={[
          { key: 'key', label: t('app.key'), children: <code>{key}</code> },
          {
            key: 'secret',
            label: t('app.secret'),
            children: (
              <>
                <code data-secret>{secret}</code>
                <CopyButton text={secret} label={t('app.copySecret')} />
              </>
            ),
          },
        ]}
      />
    </>
  );
}
