import { App, Button, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/shared/api/errors';
import { copyText } from '@/shared/lib/copy';
import { time } from '@/shared/lib/figures';
import { Result } from './result';

interface ErrorStateProps {
  error: Error;
  onRetry: () => unknown;
  /** It stands in place of the whole page, heading included. */
  isPage?: boolean;
}

function details(error: Error): string {
  const code = error instanceof ApiError ? error.code : error.name;
  return [time(new Date()), window.location.pathname, code, error.message].join('\n');
}

/** What failed, why, a way to try again, and the details to copy. Without permission it says that instead. */
export function ErrorState({ error, onRetry, isPage }: ErrorStateProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const copy = async () => {
    await copyText(details(error));
    message.success(t('action.copied'));
  };
  if (error instanceof ApiError && error.isForbidden) {
    return <Result isPage={isPage} status="locked" title={t('failure.noAccess')} subTitle={error.message} />;
  }
  return (
    <div role="alert">
      <Result
        isPage={isPage}
        status="warning"
        title={t('failure.title')}
        subTitle={error.message}
        extra={
          <Space>
            <Button type="primary" onClick={() => onRetry()}>
              {t('action.retry')}
            </Button>
            <Button onClick={copy}>{t('action.copyDetails')}</Button>
          </Space>
        }
      />
    </div>
  );
}
