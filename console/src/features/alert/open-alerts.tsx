import { Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertList } from './list';
import type { View } from './queries';

const views = {
  all: { open: true },
  unacknowledged: { open: true, acknowledged: false },
  mine: { open: true, mine: true },
} as const satisfies Record<string, View>;

/** Everything that is not over, whether it was read or not. */
export function OpenAlerts({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation('alert');
  const [shown, setShown] = useState<keyof typeof views>('all');
  return (
    <>
      <Segmented
        className="alert-views"
        aria-label={t('views.label')}
        value={shown}
        onChange={setShown}
        options={(['all', 'unacknowledged', 'mine'] as const).map((value) => ({
          value,
          label: t(`views.${value}`),
        }))}
      />
      {/* Each begins at its first page. */}
      <AlertList key={shown} view={views[shown]} empty={t('noOpen')} onLeave={onLeave} />
    </>
  );
}
