import { Typography } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RegistrationDetailRecord } from '@/shared/api';
import { useMay } from '@/shared/hooks/use-may';
import { Card } from '@/shared/ui/card';
import { CopyButton } from '@/shared/ui/copy-button';
import { KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { PageHead } from '@/shared/ui/page-head';
import { PendingState } from '@/shared/ui/pending-state';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { daysLeft } from '@/shared/widgets/registration/registration';
import { RegistrationTag } from '@/shared/widgets/registration/tag';
import { UsageBar } from '@/shared/widgets/registration/usage-bar';
import { useRegistrationDetail } from './queries';
import './registration.css';

const CodeDrawer = lazy(() => import('./code-drawer'));

const PAGE = 'system/register';

/** What the installation is registered as, what is used of it, and how to register it otherwise. */
export default function RegistrationPage() {
  const { t } = useTranslation('registration');
  const query = useRegistrationDetail();
  if (!query.data) return <PendingState query={query} rows={8} />;
  const detail = query.data;
  return (
    <div className="registration-page">
      <PageHead
        title={t('title')}
        marks={<RegistrationTag record={detail} />}
        actions={<EnterCode detail={detail} />}
      >
        <KeyFigures>
          <KeyFigure label={t('edition')}>
            {detail.edition ? t(`editions.${detail.edition}`) : t('editions.none')}
          </KeyFigure>
          {detail.holder && <KeyFigure label={t('holder')}>{detail.holder}</KeyFigure>}
          <KeyFigure label={t('endTime')}>
            {detail.endTime ? <Moment at={detail.endTime} /> : t(detail.edition ? 'noEnd' : 'none')}
          </KeyFigure>
          {detail.endTime && (
            <KeyFigure label={t('daysLeft')}>{Math.max(0, daysLeft(detail.endTime, Date.now()))}</KeyFigure>
          )}
        </KeyFigures>
      </PageHead>
      <Card title={t('usage')}>
        <UsageBar label={t('tables')} usage={detail.tables} />
        <UsageBar label={t('controls')} usage={detail.controls} />
      </Card>
      <Card
        title={t('request')}
        extra={<CopyButton text={detail.requestText} label={t('copyRequest')} wide />}
      >
        <p>{t('requestHint')}</p>
        <pre className="registration-request">{detail.requestText}</pre>
        <Typography.Text type="secondary">
          {t(detail.checksCodes ? 'checksCodes' : 'checksNoCodes')}
        </Typography.Text>
      </Card>
    </div>
  );
}

/** Without the issuer's key no code can be checked: the button says so. */
function EnterCode({ detail }: { detail: RegistrationDetailRecord }) {
  const { t } = useTranslation('registration');
  const [isOpen, setOpen] = useState(false);
  if (!useMay(PAGE)('edit')) return null;
  return (
    <>
      <RefusableButton
        type="primary"
        refused={detail.checksCodes ? undefined : t('checksNoCodes')}
        onClick={() => setOpen(true)}
      >
        {t('enterCode')}
      </RefusableButton>
      <Suspense fallback={null}>{isOpen && <CodeDrawer open onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
