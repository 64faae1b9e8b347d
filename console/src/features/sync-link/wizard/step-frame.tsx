import { Button, Space } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { useWizard } from './wizard-context';

interface Props {
  title: ReactNode;
  hint?: ReactNode;
  /** Opens the next step, or does what it needs before. */
  onNext: () => unknown;
  nextLabel?: ReactNode;
  /** Something runs that has to end first. */
  isBusy?: boolean;
  /** Why the next step can't be opened yet. */
  blocked?: string | undefined;
  /** Further buttons, left of "previous" and "next". */
  actions?: ReactNode;
  /** The step's content takes the height that is there and scrolls by itself. */
  fill?: boolean;
  children: ReactNode;
}

/** One step of the wizard: what it is about, its content, previous and next at the bottom right. */
export function StepFrame({
  title,
  hint,
  onNext,
  nextLabel,
  isBusy,
  blocked,
  actions,
  fill,
  children,
}: Props) {
  const { t } = useTranslation('sync-link');
  const { previous } = useWizard();
  return (
    <div className="wizard-step">
      <header>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </header>
      <div className="wizard-content" data-fill={fill}>
        {children}
      </div>
      <footer className="wizard-footer">
        <span className="wizard-blocked" role="status">
          {blocked}
        </span>
        <Space>
          {actions}
          {previous && (
            <Button onClick={previous} disabled={isBusy}>
              {t('wizard.previous')}
            </Button>
          )}
          <RefusableButton
            type="primary"
            refused={blocked}
            loading={isBusy ?? false}
            onClick={() => onNext()}
          >
            {nextLabel ?? t('wizard.next')}
          </RefusableButton>
        </Space>
      </footer>
    </div>
  );
}
