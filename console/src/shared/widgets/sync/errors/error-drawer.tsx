import { Alert, Button, Drawer, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowErrorDetail } from '@/shared/api';
import { notify } from '@/shared/lib/notices';
import { usePageActive } from '@/shared/pages/page-context';
import { useUnsaved } from '@/shared/pages/unsaved';
import { CopyButton } from '@/shared/ui/copy-button';
import { ErrorState } from '@/shared/ui/error-state';
import { Count, KeyFigure, KeyFigures, Moment } from '@/shared/ui/figures';
import { LoadingState } from '@/shared/ui/loading-state';
import { RefusableButton } from '@/shared/ui/refusable-button';
import { StateTag } from '@/shared/ui/state-tag';
import { useLeave } from '@/shared/ui/use-leave';
import { LogAroundLink } from '../../logs/around-link';
import { isOpen, isRetryable, useEditRowError, useRowError } from './queries';
import type { ErrorSource } from './source';
import { type Decide, keyText } from './use-decisions';
import { type Edits, Values } from './values';

interface Props {
  source: ErrorSource;
  error: string;
  mayDecide: boolean;
  onDecide: Decide;
  onClose: () => void;
}

/** Everything that was kept of one refused change, and what can be done about it. */
export default function ErrorDrawer({ source, error, mayDecide, onDecide, onClose }: Props) {
  const { t } = useTranslation(['row-error', 'common']);
  const isActive = usePageActive();
  const query = useRowError(source, error);
  const edit = useEditRowError(source);
  const [edits, setEdits] = useState<Edits>();
  const found = query.data;
  const [isGivenUp, setGivenUp] = useState(false);
  const leave = useLeave();
  const isChanged = Object.keys(edits ?? {}).length > 0;
  useUnsaved(() => isChanged, { kept: true });
  const close = () => leave(isChanged, onClose);
  const giveUp = () => {
    setEdits(undefined);
    setGivenUp(true);
  };
  const retryEdited = async () => {
    const count = await edit.mutateAsync({ error, after: edits ?? {} });
    notify('success', t('done.retry', { count }));
    onClose();
  };
  return (
    <Drawer
      title={found ? t('detail.title', { target: found.target }) : t('title')}
      open={isActive}
      onClose={close}
      size={720}
      footer={
        found && mayDecide && isOpen(found) ? (
          <Space className="drawer-footer">
            {edits ? (
              <>
                <Button onClick={giveUp}>{t('common:action.cancel')}</Button>
                <RefusableButton
                  type="primary"
                  loading={edit.isPending}
                  refused={Object.keys(edits).length === 0 ? t('detail.nothingChanged') : undefined}
                  onClick={() => retryEdited().catch(() => undefined)}
                >
                  {t('verb.edit')}
                </RefusableButton>
              </>
            ) : (
              <>
                <Button onClick={() => onDecide('skip', [found], onClose)}>{t('verb.skip')}</Button>
                {isRetryable(found) && isEditable(found) && (
                  // The button that gave the edits up is gone, and the focus comes here.
                  <Button autoFocus={isGivenUp} onClick={() => setEdits({})}>
                    {t('verb.edit')}
                  </Button>
                )}
                {isRetryable(found) && (
                  <Button type="primary" onClick={() => onDecide('retry', [found], onClose)}>
                    {t('verb.retry')}
                  </Button>
                )}
              </>
            )}
          </Space>
        ) : undefined
      }
    >
      {query.error && !found && <ErrorState error={query.error} onRetry={query.refetch} />}
      {!query.error && !found && <LoadingState rows={8} />}
      {found && <Detail found={found} link={source.link} edits={edits} onEdit={setEdits} />}
    </Drawer>
  );
}

/** A deletion has no values to change, and a change of structure no row. */
function isEditable({ operation, after }: RowErrorDetail): boolean {
  return operation !== 'ddl' && Object.keys(after).length > 0;
}

interface DetailProps {
  found: RowErrorDetail;
  link: string | undefined;
  edits: Edits | undefined;
  onEdit: (edits: Edits) => void;
}

function Detail({ found, link, edits, onEdit }: DetailProps) {
  const { t } = useTranslation('row-error');
  return (
    <div className="row-error">
      <KeyFigures>
        <KeyFigure label={t('status')}>
          <StateTag state={found.status} />
        </KeyFigure>
        <KeyFigure label={t('operation')}>{t(`operations.${found.operation}`)}</KeyFigure>
        <KeyFigure label={t('key')}>{keyText(found)}</KeyFigure>
        <KeyFigure label={t('attempts')}>
          <Count value={found.attempts} />
        </KeyFigure>
        <KeyFigure label={t('committed')}>
          <Moment at={found.committedAt} />
        </KeyFigure>
        <KeyFigure label={t('found')}>
          <Moment at={found.foundAt} />
        </KeyFigure>
        <KeyFigure label={t('changed')}>
          <Moment at={found.changedAt} />
        </KeyFigure>
      </KeyFigures>
      {found.blocking && isOpen(found) && <Alert type="warning" showIcon title={t('blocking')} />}
      {!isRetryable(found) && isOpen(found) && <Alert type="info" showIcon title={t('appendOnly')} />}
      {found.note && <Alert type="info" showIcon title={found.note} />}
      <h2>{t('detail.error')}</h2>
      <pre>{found.detail}</pre>
      <div>
        <LogAroundLink at={found.foundAt} link={link} name={t('detail.logNamed', { target: found.target })}>
          {t('detail.log')}
        </LogAroundLink>
      </div>
      <h2>{t('detail.values')}</h2>
      <Values found={found} edits={edits} onEdit={onEdit} />
      <h2>
        {t('detail.statement')} <CopyButton text={found.statement} label={t('detail.copy')} />
      </h2>
      <pre>{found.statement}</pre>
      {found.position && (
        <>
          <h2>{t('detail.position')}</h2>
          <pre>{found.position}</pre>
        </>
      )}
    </div>
  );
}
