import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, registrationUsedControls, registrationUsedTables } from '@/shared/api';
import { UsageBar } from '@/shared/widgets/registration/usage-bar';

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
