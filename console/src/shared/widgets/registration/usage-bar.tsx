import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import type { UsageRecord } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { usageLook } from './registration';
import './usage-bar.css';

const colours = { good: 'var(--success-text)', warning: 'var(--warning)', bad: 'var(--error)' } as const;

interface Props {
  label: string;
  usage: UsageRecord;
}

/** How much is used of what the registration allows. */
export function UsageBar({ label, usage: { usedCount, maxLimit } }: Props) {
  const { t } = useTranslation();
  const limit = maxLimit === null ? t('unlimited') : count(maxLimit);
  const percent = maxLimit === null ? undefined : Math.min(100, Math.floor((100 * usedCount) / maxLimit));
  return (
    <div className="usage-bar">
      <span>{label}</span>
      <span className="tabular">{`${count(usedCount)} / ${limit}`}</span>
      {percent !== undefined && (
        <Progress
          percent={percent}
          size="small"
          strokeColor={colours[usageLook(percent)]}
          format={() => `${percent}%`}
          aria-label={label}
        />
      )}
    </div>
  );
}
