import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '@/shared/pages/paths';
import './sync.css';

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
