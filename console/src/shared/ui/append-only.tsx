import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { useConfirmDanger } from './confirm-danger';

/** Consequences of choosing append-only. */
export function AppendOnlyWarning() {
  const { t } = useTranslation();
  return (
    <Alert type="warning" showIcon title={t('appendOnly.warning')} description={t('appendOnly.detail')} />
  );
}

/** Asks before tables are published so; runs at once where none is. `names`: which tables, for people. */
export function useAppendOnlyConfirmed() {
  const { t } = useTranslation();
  const confirm = useConfirmDanger();
  return (names: readonly string[], run: () => Promise<unknown>): Promise<unknown> => {
    if (names.length === 0) return run();
    return new Promise<unknown>((resolve, reject) => {
      confirm({
        title: t('appendOnly.askTitle', { count: names.length }),
        content: (
          <>
            <p>{named(names)}</p>
            <AppendOnlyWarning />
          </>
        ),
        action: t('appendOnly.confirm'),
        run: () => run().then(resolve, reject),
        onDecline: () => resolve(undefined),
      });
    });
  };
}

const NAMED = 10;

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${shown} …` : shown;
}
