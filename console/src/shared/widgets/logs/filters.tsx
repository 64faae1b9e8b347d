import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logLevels } from '@/shared/ui/log-viewer';
import { SearchForm } from '@/shared/ui/search-form';
import { type LogFilter, type LogScope, useLogSources } from './queries';

interface Props {
  scope: LogScope;
  filter: LogFilter;
  onChange: (change: Partial<LogFilter>) => void;
}

/** What the entries must have. */
export function LogFilters({ filter, onChange }: Omit<Props, 'scope'>) {
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

/** One service or agent whose log is searched, found by its name; none: all. */
export function SourceChoice({ scope, filter, onChange }: Props) {
  const { t } = useTranslation('logs');
  const [search, setSearch] = useState('');
  const { data, isFetching } = useLogSources(scope, filter.container, search);
  const options = (data?.records ?? []).map(({ id, kind, name }) => ({
    value: id,
    label: kind === 'agent' ? t('agentOn', { host: name }) : name,
  }));
  const isListed = options.some(({ value }) => value === filter.source);
  return (
    <Select<string>
      aria-label={t('source')}
      className="log-source"
      value={filter.source}
      onChange={(source) => onChange({ source: source ?? '' })}
      showSearch={{ filterOption: false, onSearch: setSearch }}
      loading={isFetching}
      options={[
        { value: '', label: t('anySource') },
        // What was chosen may be on another page of the list.
        ...(filter.source && !isListed ? [{ value: filter.source, label: t('oneSource') }] : []),
        ...options,
      ]}
      popupMatchSelectWidth={false}
    />
  );
}
