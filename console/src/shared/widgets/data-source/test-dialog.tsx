import { Alert, Button, Modal, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import { ApiError } from '@/shared/api/errors';
import { usePageActive } from '@/shared/pages/page-context';
import type { ConnectionTest } from './connection-test';
import { TestRows } from './test-rows';

interface Props {
  open: boolean;
  test: ConnectionTest;
  onAgain: () => void;
  onClose: () => void;
  /** What a passed test leads to, e.g. the wizard's next step. */
  onward?: { label: string; go: () => void };
}

/** One row per check: what was tested, what was run, how it ended, what was found and how to mend it. */
export function TestDialog({ open, test, onAgain, onClose, onward }: Props) {
  const { t } = useTranslation('data-source');
  const isActive = usePageActive();
  const isOver = test.phase !== 'running';
  return (
    <Modal
      title={test.phase === 'failed' ? t('test.failedTitle') : t('test.title')}
      open={open && isActive}
      onCancel={onClose}
      width={880}
      mask={{ closable: false }}
      destroyOnHidden
      footer={
        <Space>
          <Button onClick={onClose}>{t('test.close')}</Button>
          <Button onClick={onAgain} disabled={!isOver}>
            {t('test.again')}
          </Button>
          {onward && test.phase === 'passed' && (
            <Button type="primary" onClick={onward.go}>
              {onward.label}
            </Button>
          )}
        </Space>
      }
    >
      <Outcome test={test} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
      <div className="test-scroll" tabIndex={0}>
        <TestRows test={test} />
      </div>
    </Modal>
  );
}

function Outcome({ test }: { test: ConnectionTest }) {
  const { t } = useTranslation('data-source');
  if (test.phase === 'running') return null;
  if (test.error)
    return <Alert type="error" showIcon title={reasonOf(test.error)} className="test-outcome" />;
  const warnings = test.rows.filter((row) => !row.status && !row.blocking).length;
  if (test.phase === 'failed')
    return <Alert type="error" showIcon title={t('test.someFailed')} className="test-outcome" role="alert" />;
  return (
    <Alert
      type={warnings ? 'warning' : 'success'}
      showIcon
      className="test-outcome"
      role="status"
      title={warnings ? t('test.passedWithWarnings', { count: warnings }) : t('test.allPassed')}
    />
  );
}

function reasonOf(error: Error): string {
  return error instanceof ApiError ? error.message : String(error);
}
