import { Button } from 'antd';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Result } from './result';

interface State {
  error?: Error;
}

function Failed({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="alert">
      <Result
        isPage
        status="error"
        title={t('failure.page')}
        subTitle={`${t('failure.pageHint')} ${error.message}`}
        extra={
          <Button type="primary" onClick={onAgain}>
            {t('failure.reloadPage')}
          </Button>
        }
      />
    </div>
  );
}

/** Keeps the failure of one page inside that page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <Failed error={error} onAgain={() => this.setState({ error: undefined })} />;
  }
}
