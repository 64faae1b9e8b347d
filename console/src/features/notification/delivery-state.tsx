import { useTranslation } from 'react-i18next';
import type { LastDelivery } from '@/shared/api';
import { LookMark } from '@/shared/ui/state-tag';
import { Tip } from '@/shared/ui/tip';
import { lookOfDelivery } from './looks';

/** What became of a delivery, with why in the tooltip. */
export function DeliveryState({ delivery: { state, reason } }: { delivery: Omit<LastDelivery, 'at'> }) {
  const { t } = useTranslation('notification');
  const mark = <LookMark look={lookOfDelivery[state]} label={t(`states.${state}`)} />;
  if (!reason) return mark;
  return (
    <Tip
      title={
        <>
          <div>{reason.text}</div>
          <div>{reason.remedy}</div>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable by keyboard */}
      <span tabIndex={0}>{mark}</span>
    </Tip>
  );
}
