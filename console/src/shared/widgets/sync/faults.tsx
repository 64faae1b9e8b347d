import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LinkRecord } from '@/shared/api';
import { paths } from '@/shared/pages/paths';
import { isMarred } from '@/shared/ui/states';
import './sync.css';

/** How many tables of a link that works have failed, as the way to them; nothing where there are none. */
export function FailedTablesLink({ linkId, link }: { linkId: string; link: Tables }) {
  const { t } = useTranslation('sync');
  const count = failedAlone(link);
  if (count === 0) return null;
  return (
    <Link className="sync-failed row-errors" to={paths.syncLink(linkId)}>
      {t('failedTables.count', { count })}
    </Link>
  );
}

/** Says at the head of a page that some of its tables have failed; nothing where none have. */
export function FailedTablesAlert({ link }: { link: Tables }) {
  const { t } = useTranslation('sync');
  const count = failedAlone(link);
  if (count === 0) return null;
  return (
    <Alert
      className="sync-alert"
      type="warning"
      showIcon
      role="status"
      title={t('failedTables.alert', { count })}
      description={t('failedTables.remedy')}
    />
  );
}

type Tables = Pick<LinkRecord, 'state' | 'tables'>;

/** Failed tables of what hasn't failed as a whole. */
function failedAlone({ state, tables }: Tables): number {
  return isMarred(state, tables.error) ? tables.error : 0;
}

/** How many warnings a link has, as the way to its page, which shows them; nothing where there are none. */
export function WarningsLink({ linkId, warnings }: { linkId: string; warnings: LinkRecord['warnings'] }) {
  const { t } = useTranslation('sync');
  if (warnings.length === 0) return null;
  return (
    <Link
      className="sync-failed row-errors"
      to={paths.syncLink(linkId)}
      title={warnings.map(({ text }) => text).join('\n')}
    >
      {t('warnings.count', { count: warnings.length })}
    </Link>
  );
}

/** What the state of a link does not show, and what to do. */
export function WarningAlerts({ warnings }: { warnings: LinkRecord['warnings'] }) {
  return warnings.map(({ kind, text, remedy }) => (
    <Alert
      key={`${kind} ${text}`}
      className="sync-alert"
      type="warning"
      showIcon
      role="status"
      title={text}
      description={remedy || undefined}
    />
  ));
}

/** How many rows of a link the target refused that are still open, as the way to them; nothing where there are none. */
export function RowErrorsLink({ linkId, count }: { linkId: string; count: number }) {
  const { t } = useTranslation('sync');
  if (count === 0) return null;
  return (
    <Link className="sync-failed row-errors" to={paths.syncLinkErrors(linkId)}>
      {t('rowErrors.count', { count })}
    </Link>
  );
}

/** Says at the head of a page that rows are refused and open, with the way to them; nothing where there are none. */
export function RowErrorsAlert({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('sync');
  if (count === 0) return null;
  return (
    <Alert
      className="sync-alert"
      type="warning"
      showIcon
      role="status"
      title={t('rowErrors.alert', { count })}
      description={t('rowErrors.remedy')}
      action={<Button onClick={onShow}>{t('rowErrors.show')}</Button>}
    />
  );
}
