import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import type { OperationDetail } from '@/shared/api';
import { ErrorState } from '@/shared/ui/error-state';
import { Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { useOperation } from './queries';
import { ResultMark } from './result-mark';
import { Values } from './values';
import './audit-log.css';

interface Props {
  id: string;
  onClose: () => void;
}

/** One operation: who, what, from where, the result, and what it changed. */
export default function OperationDrawer({ id, onClose }: Props) {
  const { t } = useTranslation('audit-log');
  const { data, error, refetch } = useOperation(id);
  return (
    <Drawer title={data?.title ?? t('operation.open')} open size="50%" onClose={onClose}>
      {data && <Facts record={data} />}
      {!data && (error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingState rows={8} />)}
    </Drawer>
  );
}

function Facts({ record }: { record: OperationDetail }) {
  const { t } = useTranslation('audit-log');
  return (
    <>
      <dl className="audit-facts">
        <dt>{t('at')}</dt>
        <dd>
          <Moment at={record.recordedAt} />
        </dd>
        <dt>{t('user')}</dt>
        <dd>{record.userName ?? '–'}</dd>
        <dt>{t('subject')}</dt>
        <dd>{record.subject ?? '–'}</dd>
        <dt>{t('result')}</dt>
        <dd>
          <ResultMark result={record.result} />
        </dd>
        {record.reason && (
          <>
            <dt>{t('reason')}</dt>
            <dd>
              {record.reason} <code>{record.errorCode}</code>
            </dd>
          </>
        )}
        <dt>{t('address')}</dt>
        <dd>{record.address || '–'}</dd>
        <dt>{t('path')}</dt>
        <dd>
          <code>{record.path || record.action}</code>
        </dd>
        <dt>{t('request')}</dt>
        <dd>
          <code>{record.requestId || '–'}</code>
        </dd>
      </dl>
      <div className="audit-values">
        <Values before={record.before} after={record.after} />
      </div>
    </>
  );
}
