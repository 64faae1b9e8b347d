import { useTranslation } from 'react-i18next';
import { logLevels } from '@/shared/ui/log-viewer';
import { SearchForm } from '@/shared/ui/search-form';
import type { LogFilter } from './queries';

interface Props {
  filter: LogFilter;
  onChange: (change: Partial<LogFilter>) => void;
}

/** What the entries must have. */
export function LogFilters({ filter, onChange }: Props) {
  const { t } = useTranslation('logs');
  return (
    <SearchForm
      shown={4}
      fields={[
        { name: 'text', label: t('text') },
        {
          name: 'level',
          label: t('leastLevel'),
          options: logLevels.map((level) => ({
            value: level === 'debug' ? '' : level,
            label: t(`level.${level}`),
          })),
        },
        { name: 'table', label: t('table') },
        { name: 'code', label: t('code') },
      ]}
      values={filter}
      onSearch={onChange}
    />
  );
}
