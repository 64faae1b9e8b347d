import { useQuery } from '@tanstack/react-query';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { call, registrationUsedControls, registrationUsedTables, type UsageRecord } from '@/shared/api';
import { count } from '@/shared/lib/figures';
import { usageLook } from './registration';

const colours = { good: '#389e0d', warning: '#d46b08', bad: '#cf1322' } as const;

function UsageBar({ label, usage }: { label: string; usage: UsageRecord | undefined }) {
  const { t } = useTranslation('frame');
  if (!usage) return null;
  const { usedCount, maxLimit } = usage;
  const limit = maxLimit === null ? t('usage.unlimited') : count(maxLimit);
  const percent = maxLimit === null ? undefined : Math.min(100, Math.floor((100 * usedCount) / maxLimit));
  return (
    <div className="frame-usage-bar">
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

/** How many tables and masters are used, of how many. */
export default function Usage() {
  const { t } = useTranslation('frame');
  const query = useQuery({
    queryKey: ['session', 'usage'],
    queryFn: async ({ signal }) => {
      const [tables, controls] = await Promise.all([
        call(registrationUsedTables({ body: {}, signal })),
        call(registrationUsedControls({ body: {}, signal })),
      ]);
      return { tables, controls };
    },
  });
  if (!query.data) return null;
  return (
    <div className="frame-usage">
      <UsageBar label={t('usage.tables')} usage={query.data.tables} />
      <UsageBar label={t('usage.controls')} usage={query.data.controls} />
    </div>
  );
}
